import { Problem } from '#core/problem.ts'
import { lazyQueue } from '#shared/pipeline/lazy-queue.ts'
import { type AccountDeletion, accountDeletionQueue } from '#shared/pipeline/queue.ts'
import type { QueueShard } from '#core/redis/queue-shards.ts'
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
    async add(accountId) {
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
