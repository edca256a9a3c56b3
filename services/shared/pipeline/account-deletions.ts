import { Problem } from '#core/problem.ts'
import { lazyQueue } from './lazy-queue.ts'
import { type AccountDeletion, accountDeletionQueue } from './queue.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
import { minute, second } from '#core/units.ts'

export type AccountDeletions = ReturnType<typeof createAccountDeletions>

/** Requests in flight during a deletion are logged shortly after it, so the job waits for them. */
const delayMs = 10 * second

export function createAccountDeletions(shard: QueueShard) {
  const queue = lazyQueue<AccountDeletion>(accountDeletionQueue, shard, {
    defaultJobOptions: {
      delay: delayMs,
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: 'fixed', delay: minute },
      removeOnComplete: true,
      removeOnFail: false,
    },
  })
  return {
    /**
     * Queues the removal of an account's logs, with unlimited retries.
     * @throws Problem `unavailable` if the queue does not accept the job
     */
    async add(accountId: string): Promise<void> {
      try {
        const ready = await queue.connected()
        await ready.add('delete-account-logs', { accountId }, { jobId: accountId })
      } catch (error) {
        throw new Problem('unavailable', { cause: error })
      }
    },
    close: queue.close,
  }
}
