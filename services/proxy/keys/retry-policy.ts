import { second } from '#core/units.ts'
import type { ErrorCode } from '../response/error-responses.ts'

/** What may be done after an attempt. `next-key`: the key itself is at fault, another one may do better. */
export type Verdict = 'final' | 'retry' | 'next-key'

/** A gateway that is asked by itself: every attempt would end like this. */
const loopDetected = 508

const firstBackoffMs = 200
const longestBackoffMs = 5 * second

/** How long a key cools down when the provider does not say: refused keys long, overloaded ones short. */
const cooldownMs = { refused: 60 * second, limited: 10 * second, failing: 5 * second }

/** Source: product.md 3.4, 5.6. */
export function judgeStatus(status: number): Verdict {
  if (status === loopDetected) return 'final'
  if (isRefusedKey(status) || status === 429 || status >= 500) return 'next-key'
  return status === 408 || status === 409 ? 'retry' : 'final'
}

/** Another attempt would not mend them, and a response that was made has been paid. */
const finalFailures: ReadonlySet<ErrorCode> = new Set(['upstream_forbidden', 'upstream_encoding'])

/** Only what happened before the first byte comes here: the connection failed, or nothing came in time. */
export function judgeFailure(code: ErrorCode): Verdict {
  return code.startsWith('upstream_') && !finalFailures.has(code) ? 'retry' : 'final'
}

/** Whether the provider does not take the key, for everything or for what was asked. */
export const isRefusedKey = (status: number): boolean => status === 401 || status === 403

/** Whether the same request to the same key may do better: a refused key stays refused. */
export const isWorthRepeating = (status: number): boolean => !isRefusedKey(status)

/** How long a key is left alone after this response, ms. */
export function keyCooldownMs(status: number, askedForMs: number | undefined): number {
  if (askedForMs !== undefined) return askedForMs
  if (isRefusedKey(status)) return cooldownMs.refused
  return status === 429 ? cooldownMs.limited : cooldownMs.failing
}

/** Exponential, with jitter: between half and all of the step. @param retry 0 for the first one */
export function backoffMs(retry: number, random: () => number = Math.random): number {
  const step = Math.min(firstBackoffMs * 2 ** retry, longestBackoffMs)
  return step * (0.5 + random() / 2)
}

/** `retry-after-ms`, else `retry-after` in seconds or as a date. @returns ms, undefined when not said */
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
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
