import type { Redis } from '#core/resources.ts'

const keysAtOnce = 1_000

/** What the keys of an account's cached answers begin with. */
export const cachedAnswerPrefix = (accountId: string) => `cache:{${accountId}}:`

export type CachedAnswerStore = ReturnType<typeof createCachedAnswerStore>

/** Answers of the provider that proxies keep in Redis. */
export const createCachedAnswerStore = (redis: Redis) => ({
  /** It looks at all keys that there are: for an account that goes, no more often. */
  async removeAll(accountId: string): Promise<void> {
    const match = `${cachedAnswerPrefix(accountId)}*`
    for await (const keys of redis.scanStream({ match, count: keysAtOnce }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await redis.unlink(keys)
    }
  },
})
