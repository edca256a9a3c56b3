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
  const queue = new Queue(requestEventQueue, {
    connection: redis,
    defaultJobOptions: {
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: 'fixed', delay: second },
      removeOnComplete: true,
      removeOnFail: false,
    },
    skipWaitingForReady: true,
  })
  queue.on('error', () => {
    // Each failed call reports itself to its caller.
  })
  return {
    async publish(batchId, lines) {
      await queue.add('batch', await packEventBatch(lines), { jobId: batchId })
    },
    close: () => queue.close(),
  }
}
