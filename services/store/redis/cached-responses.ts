import type { Redis } from '#core/redis/redis.ts'
import { keyStatesKey } from './key-states.ts'
import { objectKeysKey } from './object-keys.ts'

export const cachedResponsePrefix = (accountId: string) => `cache:{${accountId}}:`

export type CachedResponseStore = ReturnType<typeof createCachedResponseStore>

export const createCachedResponseStore = (redis: Redis) => ({
  /** Also removes what is known about the account's provider keys. Slow, because it scans all keys. */
  async removeAll(accountId: string): Promise<void> {
    await redis.unlink(keyStatesKey(accountId), objectKeysKey(accountId))
    const match = `${cachedResponsePrefix(accountId)}*`
    for (const node of 'nodes' in redis ? redis.nodes('master') : [redis])
      for await (const keys of node.scanStream({ match, count: 1_000 })) if (keys.length > 0) await node.unlink(keys)
  },
})
