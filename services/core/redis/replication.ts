import type { QueueShard } from './queue-shards.ts'
import { second } from '#core/units.ts'

const timeoutMs = second

/**
 * Waits until the shard's replicas have a key, so that none of them becomes the master without it.
 * @throws Error on a timeout, or if the connection now leads to another master without the key
 */
export async function awaitReplicas({ redis, replicas = 0 }: QueueShard, key: string): Promise<void> {
  if (replicas === 0) return
  // In a cluster, the key selects the server.
  const responses = await redis.pipeline().call('WAIT', replicas, timeoutMs).exists(key).exec()
  const [confirmed = 0, exists = 0] = (responses ?? []).map(([, response]) => Number(response ?? 0))
  if (confirmed < replicas || exists === 0) throw new Error('the replicas of the queue did not confirm a write')
}
