import type { Redis } from '#core/resources.ts'

/** Requests that count for the plan; `null`: nothing is counted for this period yet, or it has no limit. */
export interface QuotaUsage {
  today: number | null
  month: number | null
}

export type QuotaUsageStore = ReturnType<typeof createQuotaUsageStore>

/** Reads what the proxies count against the limits of a plan. */
export const createQuotaUsageStore = (redis: Redis) => ({
  /** Days and months are UTC. */
  async read(accountId: string, now = new Date()): Promise<QuotaUsage> {
    const day = now.toISOString().slice(0, 10)
    const month = now.toISOString().slice(0, 7)
    const [today, thisMonth] = await redis.mget(`limit:{${accountId}}:${day}`, `limit:{${accountId}}:${month}`)
    return { today: toCount(today), month: toCount(thisMonth) }
  },
})

const toCount = (text: string | null | undefined) => (text ? Number(text) : null)
