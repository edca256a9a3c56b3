import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { kib } from '#core/units.ts'

const maxErrorBytes = 16 * kib

const ErrorBody = z.object({
  error: z.object({ message: z.string(), code: z.string().nullish(), type: z.string().nullish() }),
})

/** What providers say when a key is valid but lacks a permission. */
const scopeWords =
  /missing[_ ]scope|insufficient[_ ](?:scope|permission)|does not have access to|not (?:allowed|permitted|authorized) to (?:access|call|perform|use)|model_not_found/i

/** Whether a 401 or 403 rejects the key for this request only, so that it may work for other endpoints. */
export function isScopeError(headers: IncomingHttpHeaders, body: Buffer): boolean {
  if (headers['www-authenticate']?.includes('insufficient_scope')) return true
  if (body.length > maxErrorBytes) return false
  try {
    const { error } = ErrorBody.parse(JSON.parse(body.toString()))
    return scopeWords.test(`${error.code} ${error.type} ${error.message.slice(0, kib)}`)
  } catch {
    return false
  }
}
