import { DelayedError, type Job, Queue, Worker } from 'bullmq'
import { AccountDeletion, accountDeletionQueue } from '#shared/pipeline/queue.ts'
import type { Logger } from '#core/logger.ts'
import { type QueueShard, queueOptions } from '#core/redis/queue-shards.ts'
import { minute, second } from '#core/units.ts'
import type { CachedAnswerStore } from '#store/redis/cached-answers.ts'
import type { DeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'

const refreshMs = 10 * second
const retryMs = 5 * second

/** When the logs are removed once more: by then every worker knows that the account is deleted. */
const againAfterMs = 2 * minute

interface DeletedAccountsOptions {
  shard: QueueShard
  deletedAccounts: DeletedAccountStore
  cachedAnswers: CachedAnswerStore
  logger: Logger
}

/**
 * Removes the logs and the cached responses of deleted accounts. Their events that are still on their way are stored like
 * any other, so that the delivery counters stay right, and removed right after.
 */
export class DeletedAccounts {
  readonly #options: DeletedAccountsOptions
  readonly #queue: Queue
  readonly #worker: Worker
  readonly #timer: NodeJS.Timeout
  readonly #deleted = new Set<string>()

  constructor(options: DeletedAccountsOptions) {
    this.#options = options
    const { shard, logger } = options
    this.#queue = new Queue(accountDeletionQueue, queueOptions(shard))
    this.#queue.on('error', () => undefined)
    this.#worker = new Worker(accountDeletionQueue, (job, token) => this.#work(job, token), queueOptions(shard))
    this.#worker.on('error', () => undefined)
    this.#worker.on('failed', (job, error) => logger.error({ err: error, job: job?.id }, 'a deletion failed'))
    this.#timer = setInterval(() => void this.#refresh(), refreshMs)
    void this.#refresh()
  }

  /** Removes events of deleted accounts that were just stored. */
  async afterStoring(accountIds: ReadonlySet<string>): Promise<void> {
    for (const accountId of accountIds) if (this.#deleted.has(accountId)) await this.#deleteAgain(accountId, second)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#worker.close()
    await this.#queue.close()
  }

  async #work(job: Job, token: string | undefined): Promise<void> {
    const { accountId } = AccountDeletion.parse(job.data)
    // Before the removal, because events may be stored meanwhile.
    this.#deleted.add(accountId)
    try {
      await this.#options.cachedAnswers.removeAll(accountId)
      await this.#options.deletedAccounts.remove(accountId)
    } catch (error) {
      this.#options.logger.warn({ err: error, accountId }, 'a deleted account has left something behind; trying again')
      await job.moveToDelayed(Date.now() + retryMs, token)
      throw new DelayedError()
    }
    if (job.id === accountId) await this.#deleteAgain(accountId, againAfterMs)
  }

  /** Several calls at once are one job; one that comes while the job runs is another. */
  async #deleteAgain(accountId: string, delay: number): Promise<void> {
    const slot = Math.ceil((Date.now() + delay) / second)
    await this.#queue.add(
      'delete-account-logs',
      { accountId },
      { jobId: `${accountId}-${slot}`, delay, removeOnComplete: true },
    )
  }

  async #refresh(): Promise<void> {
    try {
      for (const accountId of await this.#options.deletedAccounts.list()) this.#deleted.add(accountId)
    } catch {
      // ClickHouse is away, so nothing is stored either.
    }
  }
}
