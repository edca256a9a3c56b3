import type { QueueShard } from './queue-shards.ts'
import { second } from '#core/units.ts'

/** Replicas that do not follow within this time are taken to be away. */
const patienceMs = second

/**
 * Waits until the shard's replicas have a key as well, so that none of them can become the master without it.
 * @throws Error when they do not have it in time, or when this connection leads to another master by now, which has not
 */
export async function awaitReplicas({ redis, replicas = 0 }: QueueShard, key: string): Promise<void> {
  if (replicas === 0) return
  // In a cluster the key decides which server is asked.
  const answers = await redis.pipeline().call('WAIT', replicas, patienceMs).exists(key).exec()
  const [confirmed = 0, exists = 0] = (answers ?? []).map(([, answer]) => Number(answer ?? 0))
  if (confirmed < replicas || exists === 0) throw new Error('the replicas of the queue do not follow')
}
