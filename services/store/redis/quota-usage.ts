import { dayOf, monthOf } from '#core/period.ts'
import type { Redis } from '#core/redis/redis.ts'

/** Requests counted against a plan; 0 for a period without a limit. */
export interface QuotaUsage {
  today: number
  month: number
}

export type QuotaUsageStore = ReturnType<typeof createQuotaUsageStore>

/** @param period `2026-11-20` or `2026-11`, UTC */
export const quotaKey = (accountId: string, period: string): string => `limit:{${accountId}}:${period}`

/** Reads the requests that the proxies have counted against the limits of a plan. */
export const createQuotaUsageStore = (redis: Redis) => ({
  async read(accountId: string, now = Date.now()): Promise<QuotaUsage> {
    const counts = await redis.mget(quotaKey(accountId, dayOf(now)), quotaKey(accountId, monthOf(now)))
    const [today, month] = counts.map(Number)
    return { today: today ?? 0, month: month ?? 0 }
  },
})
