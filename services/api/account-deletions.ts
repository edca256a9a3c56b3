import { Queue } from 'bullmq'
import { Problem } from '#core/problem.ts'
import { type AccountDeletion, accountDeletionQueue } from '#shared/pipeline/queue.ts'
import { type QueueShard, queueOptions } from '#core/redis/queue-shards.ts'
import { minute, second } from '#core/units.ts'

export interface AccountDeletions {
  /**
   * Has the logs of an account removed, by a job that survives restarts and is tried for as long as it takes.
   * @throws Problem `unavailable` when the queue does not take it
   */
  add(accountId: string): Promise<void>
  close(): Promise<void>
}

/** Requests that are under way when an account goes are logged a moment later: the job waits for them. */
const delayMs = 10 * second

export function createAccountDeletions(shard: QueueShard): AccountDeletions {
  let queue: Queue<AccountDeletion> | undefined

  /** BullMQ prepares its connection once and never again, so it must not start while Redis is away. */
  async function connected(): Promise<Queue<AccountDeletion>> {
    if (shard.redis.status !== 'ready') throw new Error('the queue is not connected')
    queue ??= openQueue(shard)
    try {
      await queue.waitUntilReady()
      return queue
    } catch (error) {
      queue = undefined
      throw error
    }
  }

  return {
    async add(accountId) {
      try {
        const ready = await connected()
        await ready.add('delete-account-logs', { accountId }, { jobId: accountId })
      } catch (error) {
        throw new Problem('unavailable', { cause: error })
      }
    },
    close: async () => queue?.close(),
  }
}

function openQueue(shard: QueueShard): Queue<AccountDeletion> {
  const queue = new Queue<AccountDeletion>(accountDeletionQueue, {
    ...queueOptions(shard),
    defaultJobOptions: {
      delay: delayMs,
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: 'fixed', delay: minute },
      removeOnComplete: true,
      removeOnFail: false,
    },
  })
  // Each failed call reports itself to its caller; without a listener the process would end.
  queue.on('error', () => undefined)
  return queue
}
