import type { IncomingHttpHeaders } from 'node:http'
import { second } from '#core/units.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import type { ProviderError } from '../response/provider-error.ts'

/** The next step after an attempt. `next-key`: the key may be at fault. */
export type RetryAction = 'final' | 'retry' | 'next-key'

const loopDetected = 508
const firstBackoffMs = 200
const maxBackoffMs = 5 * second

/** Source: product.md 3.4, 5.6. */
export function classifyStatus(status: number): RetryAction {
  if (status === loopDetected) return 'final'
  if (isRejectedKey(status) || status === 429 || status >= 500) return 'next-key'
  return status === 408 || status === 409 ? 'retry' : 'final'
}

/** A retry would fail the same way, or be charged twice because a response had begun. */
const finalFailures: ReadonlySet<ProxyErrorCode> = new Set([
  'upstream_forbidden',
  'upstream_encoding',
  'upstream_invalid',
])

/**
 * For failures before the response head. Source: product.md 5.6.
 * @param maySendTwice whether the provider may safely process the request twice, or has not received it
 */
export function classifyFailure(code: ProxyErrorCode, maySendTwice: boolean): RetryAction {
  return maySendTwice && code.startsWith('upstream_') && !finalFailures.has(code) ? 'retry' : 'final'
}

/** Whether the provider rejects the key, for all endpoints or for this one. */
export const isRejectedKey = (status: number): boolean => status === 401 || status === 403

/** Providers' wording for a valid key that lacks a permission. */
const scopeWords =
  /missing[_ ]scope|insufficient[_ ](?:scope|permission)|does not have access to|not (?:allowed|permitted|authorized) to (?:access|call|perform|use)|model_not_found/i

/** Whether a 401 or 403 rejects only this use of the key, so that it may work for other endpoints. */
export const isScopeError = (headers: IncomingHttpHeaders, error: ProviderError | null): boolean =>
  headers['www-authenticate']?.includes('insufficient_scope') === true ||
  (error !== null && scopeWords.test(`${error.code} ${error.type} ${error.message}`))

export function keyCooldownMs(status: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined) return retryAfter
  if (isRejectedKey(status)) return 60 * second
  return status === 429 ? 10 * second : 5 * second
}

/** Whether the provider says, to SDKs, that the same request fails again or would be paid twice. */
export const isFinal = (headers: IncomingHttpHeaders): boolean => headers['x-should-retry'] === 'false'

/** Exponential, with jitter: between half and all of the step. @param retry 0 for the first one */
export function backoffMs(retry: number, random: () => number = Math.random): number {
  const step = Math.min(firstBackoffMs * 2 ** retry, maxBackoffMs)
  return step * (0.5 + random() / 2)
}

/** Reads `retry-after-ms`, or `retry-after` in seconds or as a date of the provider's clock. */
export function retryAfterMs(
  headers: Record<string, string | string[] | undefined>,
  now = Date.now(),
): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(exact) && exact >= 0) return exact
  const value = headers['retry-after']
  if (typeof value !== 'string') return undefined
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * second
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Date.parse(String(headers['date'])) || now))
}
