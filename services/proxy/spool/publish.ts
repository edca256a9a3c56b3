import { lazyQueue } from '#shared/pipeline/lazy-queue.ts'
import { batchJobOptions, jobNameOf, packEventBatch, requestEventQueue } from '#shared/pipeline/queue.ts'
import { awaitReplicas } from '#core/redis/replication.ts'
import { type QueueShard, type QueueShards, queuePrefix, shardOfBatch } from '#core/redis/queue-shards.ts'
import { second } from '#core/units.ts'
import type { Publish } from './recovery.ts'

/** The rest of the queue's memory is reserved for the workers, which need some to dequeue a batch. */
const usableMemory = 0.8
const memoryCheckEveryMs = second

/** A script with a key, because in a cluster the key routes it to the shard's server. */
const memoryScript = "return redis.call('INFO', 'memory')"

interface Publisher {
  publish: Publish
  close(): Promise<void>
}

/**
 * Adds each batch as one BullMQ job to the shard of its id. The batch's id is the job id, so adding is idempotent.
 * Redis responds once the job is on disk (`appendfsync always`).
 */
export function createPublisher(shards: QueueShards): Publisher {
  const publishers = shards.map(createShardPublisher)
  return {
    async publish(batch) {
      const publisher = publishers[shardOfBatch(batch.id, publishers.length)]
      if (!publisher) throw new Error(`batch ${batch.id} is of an unknown shard`)
      await publisher.publish(batch)
    },
    close: async () => void (await Promise.all(publishers.map((publisher) => publisher.close()))),
  }
}

function createShardPublisher(shard: QueueShard): Publisher {
  const { redis } = shard
  const queue = lazyQueue(requestEventQueue, shard, {
    streams: { events: { maxLen: 100 } },
    defaultJobOptions: batchJobOptions,
  })
  let memoryAt = 0

  async function checkMemory(): Promise<void> {
    const now = performance.now()
    if (now < memoryAt) return
    const info = String(await redis.eval(memoryScript, 1, queuePrefix(shard)))
    const read = (field: string) => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
    const max = read('maxmemory')
    if (max > 0 && read('used_memory') > max * usableMemory) throw new Error('the queue is full')
    memoryAt = now + memoryCheckEveryMs
  }

  return {
    async publish({ id, count, text }) {
      const ready = await queue.connected()
      await checkMemory()
      await ready.add(jobNameOf(count), await packEventBatch(text, count), { jobId: id })
      await awaitReplicas(shard, ready.toKey(id))
    },
    close: queue.close,
  }
}
