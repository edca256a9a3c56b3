import type { Queue, Worker } from 'bullmq'
import type { QueueShard } from '#core/redis/queue-shards.ts'

/**
 * Closes a worker once its jobs have ended, and then its queues. Without Redis, no job can be completed, and waiting
 * for it would last until the process is killed.
 */
export async function closeWorker(
  worker: Worker,
  queues: readonly Queue[],
  { redis }: Pick<QueueShard, 'redis'>,
): Promise<void> {
  const isReady = redis.status === 'ready'
  await worker.close(!isReady)
  if (isReady) for (const queue of queues) await queue.close()
}
