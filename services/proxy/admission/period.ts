import type { PlanLimits } from '#schemas/plans.ts'

/** A plan's quota and the span of time it is for, UTC. */
export interface Quota {
  limit: number
  /** Names the span: `2026-11-20` or `2026-11`. */
  period: string
  endsAtMs: number
}

/** @returns undefined when the plan has no quota */
export function quotaOf({ requestsPerDay, requestsPerMonth }: PlanLimits, now: number): Quota | undefined {
  if (requestsPerDay === null && requestsPerMonth === null) return undefined
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (requestsPerDay !== null) {
    return { limit: requestsPerDay, period: date.toISOString().slice(0, 10), endsAtMs: Date.UTC(year, month, day + 1) }
  }
  if (requestsPerMonth !== null) {
    return { limit: requestsPerMonth, period: monthOf(now), endsAtMs: Date.UTC(year, month + 1) }
  }
  return undefined
}

/** `2026-11`, UTC. */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

/** The first moment of the next month, UTC. */
export function monthEndsAtMs(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
