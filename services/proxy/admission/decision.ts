import type { LimitErrorCode } from '../response/error-responses.ts'
import type { Reservation } from './reservation.ts'
import { type AccountLimits, amountFor, type LimitRule } from './limit-rules.ts'

/** A limit's usage in its current window. */
export interface LimitWindow {
  rule: LimitRule
  used: number
  endsAtMs: number
}

export interface LimitDecision {
  rejection: LimitErrorCode | undefined
  /** Names the limit that rejected the request, its remaining amount and when it renews. */
  detail?: string
  /** Response headers: name, value, name, value … */
  headers: string[]
  /** Where an accepted request was counted; undefined if it was not. */
  counted:
    | {
        by: 'lease' | 'redis' | 'local'
        windows: readonly LimitWindow[]
        tokens: number
        /** Tokens of a WebSocket session: counted, and taken by its responses so far. */
        session?: { counted: number; taken: number }
      }
    | undefined
  reservation?: Reservation
}

export const unlimited: LimitDecision = { rejection: undefined, headers: [], counted: undefined }

/**
 * The headers describe the limits with the least remaining.
 * @param by where the request was counted
 * @param tokens counted tokens
 */
export function accept(
  windows: readonly LimitWindow[],
  { policy }: AccountLimits,
  now: number,
  by: 'lease' | 'redis' | 'local',
  tokens = 0,
): LimitDecision {
  return { rejection: undefined, headers: limitHeaders(windows, policy, now), counted: { by, windows, tokens } }
}

/** Corrects the headers of an accepted request that some of its windows no longer count. */
export function uncount(decision: LimitDecision, taken: readonly LimitWindow[], policy: string, now: number): void {
  const { counted, headers } = decision
  if (!counted || taken.length === 0) return
  const windows = counted.windows.map((window) =>
    taken.includes(window) ? { ...window, used: window.used - amountFor(window.rule, counted.tokens) } : window,
  )
  const current = limitHeaders(windows, policy, now)
  decision.headers = [...current, ...headers.slice(current.length)]
}

/** The request must wait for every limit that has no room for it. @param tokens requested tokens */
export function rejectAtLimit(
  windows: readonly LimitWindow[],
  { policy }: AccountLimits,
  now: number,
  tokens = 1,
): LimitDecision {
  const exhausted = windows.filter(({ rule, used }) => used + amountFor(rule, tokens) > rule.limit)
  const last = exhausted.reduce((one, other) => (other.endsAtMs > one.endsAtMs ? other : one))
  const { name, limit, unit, code, endsAtMs } = last.rule
  const renewsIn = secondsUntil(last.endsAtMs, now)
  const detail = `Limit ${name}: ${remainingOf(last)} of ${limit} ${unit} are left, and it renews in ${renewsIn} s.`
  // An SDK should not wait until the next day or month.
  return rejectFor(code, detail, renewsIn, endsAtMs === undefined, limitHeaders(windows, policy, now))
}

/** @param mayRetry whether an SDK should wait and retry */
export function rejectFor(
  code: LimitErrorCode,
  detail: string,
  retryAfter: number,
  mayRetry: boolean,
  headersOfLimits: readonly string[] = [],
): LimitDecision {
  const headers = [...headersOfLimits, 'retry-after', String(retryAfter)]
  if (!mayRetry) headers.push('x-should-retry', 'false')
  return { rejection: code, detail, headers, counted: undefined }
}

function limitHeaders(windows: readonly LimitWindow[], policy: string, now: number): string[] {
  let fewest: LimitWindow | undefined
  let nearest: LimitWindow | undefined
  for (const window of windows) {
    if (window.rule.unit === 'requests' && (!fewest || remainingOf(window) < remainingOf(fewest))) fewest = window
    if (!nearest || shareLeft(window) < shareLeft(nearest)) nearest = window
  }
  const headers: string[] = []
  if (fewest) {
    headers.push('x-ratelimit-limit', String(fewest.rule.limit))
    headers.push('x-ratelimit-remaining', String(remainingOf(fewest)))
    headers.push('x-ratelimit-reset', String(secondsUntil(fewest.endsAtMs, now)))
  }
  if (nearest) {
    const { rule, endsAtMs } = nearest
    const current = `"${rule.name}";r=${remainingOf(nearest)};t=${secondsUntil(endsAtMs, now)}`
    headers.push('ratelimit', current, 'ratelimit-policy', policy)
  }
  return headers
}

export const secondsUntil = (ms: number, now: number): number => Math.max(1, Math.ceil((ms - now) / 1_000))

const remainingOf = ({ rule, used }: LimitWindow): number => Math.max(0, rule.limit - used)

const shareLeft = (window: LimitWindow): number => remainingOf(window) / window.rule.limit
