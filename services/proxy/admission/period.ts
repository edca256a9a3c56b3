import type { PlanLimits } from '#schemas/plans.ts'

export interface Quota {
  limit: number
  /** `2026-11-20` or `2026-11` */
  period: string
  endsAtMs: number
}

/** @returns undefined when the plan has no quota */
export function quotaOf({ requestsPerDay, requestsPerMonth }: PlanLimits, now: number): Quota | undefined {
  if (requestsPerDay !== null) {
    const date = new Date(now)
    const endsAtMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
    return { limit: requestsPerDay, period: date.toISOString().slice(0, 10), endsAtMs }
  }
  if (requestsPerMonth === null) return undefined
  return { limit: requestsPerMonth, period: monthOf(now), endsAtMs: monthEndsAtMs(now) }
}

/** `2026-11`, UTC. */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

export function monthEndsAtMs(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
