import type { LimitErrorCode } from '../response/error-responses.ts'

/** Whether a request may go on, and what the client is told of its limits. */
export interface LimitDecision {
  refusal: LimitErrorCode | undefined
  /** `x-ratelimit-*`, `retry-after` and the note of a degraded limiter: name, value, name, value … */
  headers: string[]
  /** Who counted the request, and up to when that holds; undefined for one that was not counted. */
  counted?: { by: 'lease' | 'redis' | 'local'; windows: LimitUsage }
}

/** What is counted for an account: the minute window and the plan's quota, as far as they apply. */
export interface LimitUsage {
  minute?: { used: number; limit: number; endsAtMs: number }
  quota?: { used: number; limit: number; endsAtMs: number }
}

/**
 * The headers of an answer. Of two limits the one with less left is told.
 * @param refusal with one, `retry-after` says when it is over
 */
export function decide(
  refusal: LimitDecision['refusal'],
  counted: LimitUsage,
  retryAtMs: number,
  now: number,
): LimitDecision {
  const { minute, quota } = counted
  const left = (limit: LimitUsage['minute']) => (limit ? limit.limit - limit.used : Number.POSITIVE_INFINITY)
  const tightest = left(minute) <= left(quota) ? minute : quota
  const headers: string[] = []
  if (tightest) {
    headers.push(
      'x-ratelimit-limit',
      String(tightest.limit),
      'x-ratelimit-remaining',
      String(Math.max(0, left(tightest))),
      'x-ratelimit-reset',
      String(seconds(tightest.endsAtMs - now)),
    )
  }
  if (refusal) headers.push('retry-after', String(seconds(retryAtMs - now)))
  // Waiting for the next day or month is not for an SDK to do.
  if (refusal && refusal !== 'rate_limited') headers.push('x-should-retry', 'false')
  return { refusal, headers }
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))
