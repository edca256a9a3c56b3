import type { IncomingHttpHeaders } from 'node:http'
import type { ProviderError } from '../response/provider-error.ts'

/** What providers say when a key is valid but lacks a permission. */
const scopeWords =
  /missing[_ ]scope|insufficient[_ ](?:scope|permission)|does not have access to|not (?:allowed|permitted|authorized) to (?:access|call|perform|use)|model_not_found/i

/** Whether a 401 or 403 rejects the key for this request only, so that it may work for other endpoints. */
export const isScopeError = (headers: IncomingHttpHeaders, error: ProviderError | null): boolean =>
  headers['www-authenticate']?.includes('insufficient_scope') === true ||
  (error !== null && scopeWords.test(`${error.code} ${error.type} ${error.message}`))
