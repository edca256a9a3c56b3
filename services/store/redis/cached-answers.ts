import type { Redis } from '#core/resources.ts'

export const cachedAnswerPrefix = (accountId: string) => `cache:{${accountId}}:`

export type CachedAnswerStore = ReturnType<typeof createCachedAnswerStore>

export const createCachedAnswerStore = (redis: Redis) => ({
  /** Slow, because it scans all keys. */
  async removeAll(accountId: string): Promise<void> {
    const match = `${cachedAnswerPrefix(accountId)}*`
    for await (const keys of redis.scanStream({ match, count: 1_000 })) if (keys.length > 0) await redis.unlink(keys)
  },
})
