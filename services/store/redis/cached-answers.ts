import type { Redis } from '#core/resources.ts'

const keysAtOnce = 1_000

/** Prefix of the keys of an account's cached responses. */
export const cachedAnswerPrefix = (accountId: string) => `cache:{${accountId}}:`

export type CachedAnswerStore = ReturnType<typeof createCachedAnswerStore>

/** Responses of the provider that proxies cache in Redis. */
export const createCachedAnswerStore = (redis: Redis) => ({
  /** Scans all keys: only for account deletion. */
  async removeAll(accountId: string): Promise<void> {
    const match = `${cachedAnswerPrefix(accountId)}*`
    for await (const keys of redis.scanStream({ match, count: keysAtOnce }))
      if (keys.length > 0) await redis.unlink(keys)
  },
})
