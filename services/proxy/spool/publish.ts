import { Queue } from 'bullmq'
import { packEventBatch, requestEventQueue } from '#core/queue.ts'
import type { Redis } from '#core/resources.ts'
import { second } from '#core/units.ts'
import type { Publish } from './recovery.ts'

/**
 * One BullMQ job a batch, with the batch's id: adding it again changes nothing. Redis answers once the job is on disk
 * (`appendfsync always`). A job is tried for as long as it takes, and kept when it can't be read.
 */
export function createPublisher(redis: Redis): { publish: Publish; close(): Promise<void> } {
  let queue: Queue | undefined

  /** BullMQ prepares its connection once and never again, so it must not start while Redis is away. */
  async function connected(): Promise<Queue> {
    if (redis.status !== 'ready') throw new Error('the queue is not connected')
    queue ??= openQueue(redis)
    try {
      await queue.waitUntilReady()
      return queue
    } catch (error) {
      queue = undefined
      throw error
    }
  }

  return {
    async publish(batchId, lines) {
      const ready = await connected()
      await ready.add('batch', await packEventBatch(lines), { jobId: batchId })
    },
    close: async () => queue?.close(),
  }
}

function openQueue(redis: Redis): Queue {
  const queue = new Queue(requestEventQueue, {
    connection: redis,
    defaultJobOptions: {
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: 'fixed', delay: second },
      removeOnComplete: true,
      removeOnFail: false,
    },
  })
  // Each failed call reports itself to its caller; without a listener the process would end.
  queue.on('error', () => undefined)
  return queue
}
