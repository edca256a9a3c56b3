import { z } from 'zod'
import { kib } from '#core/units.ts'

const maxErrorBytes = 16 * kib
const maxMessage = 300

const ErrorBody = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ message: z.string() }).transform(({ message }) => message),
])

/** What looks like a key or a token; providers repeat the beginning and the end of theirs. */
const secretWords = /\b(?:sk|st|pk|rk|key|sess)[-_][\w*.-]{6,}|\b[\w-]*\*{3,}[\w-]*/g

/** The message of a provider's error response, without secrets; `null` when there is none. */
export function providerMessage(body: Buffer, secret: string): string | null {
  if (body.length === 0 || body.length > maxErrorBytes) return null
  try {
    const message = ErrorBody.parse(JSON.parse(body.toString()))
    return message.replaceAll(secret, '***').replace(secretWords, '***').slice(0, maxMessage)
  } catch {
    return null
  }
}
