import type { LimitErrorCode } from '../response/error-responses.ts'
import { monthEndsAtMs } from './period.ts'

export interface LimitWindow {
  used: number
  limit: number
  endsAtMs: number
}

/** An account's minute window and its plan's quota, as far as each applies. */
export interface LimitUsage {
  minute?: LimitWindow
  quota?: LimitWindow
}

export interface LimitDecision {
  rejection: LimitErrorCode | undefined
  /** Response headers: name, value, name, value … */
  headers: string[]
  /** Where an accepted request was counted; undefined when it was not. */
  counted: { by: 'lease' | 'redis' | 'local'; usage: LimitUsage } | undefined
}

/** The headers describe the limit with less left. @param by where the request was counted, if it was accepted */
export function decide(
  rejection: LimitErrorCode | undefined,
  usage: LimitUsage,
  now: number,
  by: 'lease' | 'redis' | 'local',
): LimitDecision {
  const { minute, quota } = usage
  const tightest = remaining(minute) <= remaining(quota) ? minute : quota
  const headers: string[] = []
  if (tightest) {
    headers.push('x-ratelimit-limit', String(tightest.limit))
    headers.push('x-ratelimit-remaining', String(Math.max(0, remaining(tightest))))
    headers.push('x-ratelimit-reset', String(seconds(tightest.endsAtMs - now)))
  }
  if (!rejection) return { rejection, headers, counted: { by, usage } }
  headers.push('retry-after', String(seconds(retryAtMs(rejection, usage, now) - now)))
  // An SDK should not wait for the next day or month.
  if (rejection !== 'rate_limited') headers.push('x-should-retry', 'false')
  return { rejection, headers, counted: undefined }
}

function retryAtMs(rejection: LimitErrorCode, { minute, quota }: LimitUsage, now: number): number {
  if (rejection === 'budget_exceeded') return monthEndsAtMs(now)
  return (rejection === 'rate_limited' ? minute : quota)?.endsAtMs ?? now
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000))

const remaining = (window: LimitWindow | undefined) => (window ? window.limit - window.used : Number.POSITIVE_INFINITY)
