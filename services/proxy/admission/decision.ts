import type { LimitErrorCode } from '../response/error-responses.ts'

/** Whether a request may go on, and what the client learns of its limits. */
export interface LimitDecision {
  rejection: LimitErrorCode | undefined
  /** `x-ratelimit-*`, `retry-after` and the note of a degraded limiter: name, value, name, value … */
  headers: string[]
  /** What counted the request, and up to when that holds; undefined when it was not counted. */
  counted?: { by: 'lease' | 'redis' | 'local'; windows: LimitUsage }
}

/** What is counted for an account: the minute window and the plan's quota, as far as they apply. */
export interface LimitUsage {
  minute?: { used: number; limit: number; endsAtMs: number }
  quota?: { used: number; limit: number; endsAtMs: number }
}

/**
 * Headers of the response. Of two limits they show the one with less left.
 * @param rejection with one, `retry-after` says when it is over
 */
export function decide(
  rejection: LimitDecision['rejection'],
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
  if (rejection) headers.push('retry-after', String(seconds(retryAtMs - now)))
  // Waiting for the next day or month is not for an SDK to do.
  if (rejection && rejection !== 'rate_limited') headers.push('x-should-retry', 'false')
  return { rejection, headers }
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))
