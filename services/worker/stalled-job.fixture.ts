import type { Queue } from 'bullmq'
import type { Redis } from '#core/redis/redis.ts'

/** Leaves a waiting job as if many workers had been killed while they had it. */
export async function stallJob(redis: Redis, queue: Queue, jobId: string): Promise<void> {
  await redis.lrem(queue.toKey('wait'), 1, jobId)
  await redis.lpush(queue.toKey('active'), jobId)
  await redis.sadd(queue.toKey('stalled'), jobId)
  await redis.hset(queue.toKey(jobId), 'stc', 1_000)
}
