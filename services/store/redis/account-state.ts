import type { Redis } from '#core/redis/redis.ts'
import { accountDeletionQueue } from '#shared/pipeline/queue.ts'
import { createObjectKeyStore } from './object-keys.ts'

export type AccountStateStore = ReturnType<typeof createAccountStateStore>

/** Everything that the state Redis knows of an account: limits, budgets, cached responses, states of keys. */
export const createAccountStateStore = (redis: Redis) => {
  const objectKeys = createObjectKeyStore(redis)
  return {
    /** Slow, because it scans all keys. */
    async removeAll(accountId: string): Promise<void> {
      await objectKeys.forget(accountId)
      const match = `*${accountId}*`
      for (const node of 'nodes' in redis ? redis.nodes('master') : [redis])
        for await (const keys of node.scanStream({ match, count: 1_000 }))
          // One by one, because not all of them share a slot of a Redis Cluster.
          await Promise.all(keys.filter(isOfState).map((key: string) => node.unlink(key)))
    },
  }
}

/** The job of a deletion is named after its account, too, and may be in the same database. */
const isOfState = (key: string) => !key.includes(accountDeletionQueue)
