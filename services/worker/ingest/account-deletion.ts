import { DelayedError, type Job, Queue, Worker } from 'bullmq'
import { AccountDeletion, accountDeletionQueue } from '#shared/pipeline/queue.ts'
import type { Logger } from '#core/logger.ts'
import { occasionalWarning } from '#core/occasional-warning.ts'
import { type QueueShard, queueOptions } from '#core/redis/queue-shards.ts'
import { hour, minute, second } from '#core/units.ts'
import type { AccountDeletionStore } from '#store/postgres/account-deletions.ts'
import type { AccountStateStore } from '#store/redis/account-state.ts'
import type { DeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'
import { closeWorker } from '../close-worker.ts'

const refreshMs = 10 * second
const retryMs = 5 * second
/** Otherwise, an id could not be queued again. */
const dropped = { removeOnComplete: true, removeOnFail: true }

/** After this time, when every worker knows of the deletion, the logs are removed once more. */
const repeatAfterMs = 2 * minute

/** Earlier releases queue a deletion before its commit. If the account still exists after this time, the commit failed. */
const commitMs = hour

interface DeletedAccountsOptions {
  shard: QueueShard
  deletedAccounts: DeletedAccountStore
  accountDeletions: AccountDeletionStore
  accountState: AccountStateStore
  logger: Logger
}

/**
 * Removes what ClickHouse and the state Redis have of deleted accounts, which Postgres lists until then, whatever becomes
 * of the queue. One job at a time removes all that are due, because each removal rewrites the tables. Events that are
 * still in the queue are stored as usual, to keep the delivery counters exact, and then removed.
 */
export class DeletedAccounts {
  readonly #options: DeletedAccountsOptions
  readonly #queue: Queue
  readonly #worker: Worker
  readonly #timer: NodeJS.Timeout
  readonly #warn: (details: object) => void
  readonly #deleted = new Set<string>()
  /** Start of the last look at the list, as `performance.now()`. */
  #listedAt = Number.NEGATIVE_INFINITY

  constructor(options: DeletedAccountsOptions) {
    this.#options = options
    const { shard, logger } = options
    this.#queue = new Queue(accountDeletionQueue, queueOptions(shard))
    this.#queue.on('error', () => undefined)
    this.#worker = new Worker(accountDeletionQueue, (job, token) => this.#work(job, token), {
      ...queueOptions(shard),
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    })
    this.#worker.on('error', () => undefined)
    this.#worker.on('failed', (job, error) => logger.error({ err: error, job: job?.id }, 'a deletion failed'))
    this.#warn = occasionalWarning(logger, 'deletions could not be queued; trying again')
    this.#timer = setInterval(() => this.#refreshAll(), refreshMs)
    this.#refreshAll()
  }

  /** Removes just-stored events of deleted accounts. @throws Error if it is not known which were deleted */
  async afterStoring(accountIds: ReadonlySet<string>): Promise<void> {
    // The list is missing or old if ClickHouse was unavailable, or this process was suspended.
    if (performance.now() - this.#listedAt > 2 * refreshMs) await this.#refresh()
    for (const accountId of accountIds) if (this.#deleted.has(accountId)) await this.#deleteAgain([accountId], second)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await closeWorker(this.#worker, [this.#queue], this.#options.shard)
  }

  async #work(job: Job, token: string | undefined): Promise<void> {
    const { accountId, isListed, others } = AccountDeletion.parse(job.data)
    const isFirst = job.id === accountId
    const { accountDeletions, accountState, deletedAccounts } = this.#options
    const accountIds = new Set([accountId, ...others])
    try {
      if (await accountDeletions.accountExists(accountId)) {
        if (!isFirst || job.timestamp < Date.now() - commitMs) return
        throw new Error('the account still exists')
      }
      if (isFirst) {
        const due = await accountDeletions.due()
        if (isListed && !due.includes(accountId)) return
        for (const id of due) accountIds.add(id)
      }
      for (const id of accountIds) {
        // Added before the removal, because events may be stored during it.
        this.#deleted.add(id)
        await accountState.removeAll(id)
      }
      await deletedAccounts.remove([...accountIds])
      if (!isFirst) return
      await this.#deleteAgain([...accountIds], repeatAfterMs)
      // Last, so that whatever interrupts the job before, it is queued again.
      for (const id of accountIds) await accountDeletions.complete(id)
    } catch (error) {
      const message = 'the data of a deleted account could not be removed; trying again'
      this.#options.logger.warn({ err: error, accountId }, message)
      await job.moveToDelayed(Date.now() + retryMs, token)
      throw new DelayedError()
    }
  }

  /** Calls within a second share one job. */
  async #deleteAgain([accountId, ...others]: readonly string[], delay: number): Promise<void> {
    const jobId = `${accountId}-${Math.ceil((Date.now() + delay) / second)}`
    await this.#queue.add('delete-account-logs', { accountId, others }, { jobId, delay, ...dropped })
  }

  #refreshAll(): void {
    // While ClickHouse is unavailable, nothing is stored either.
    void this.#refresh().catch(() => undefined)
    void this.#queueDue()
  }

  /** A deletion that is queued already stays as it is. */
  async #queueDue(): Promise<void> {
    const { accountDeletions, shard } = this.#options
    if (shard.redis.status !== 'ready') return
    try {
      await this.#queue.setGlobalConcurrency(1)
      for (const accountId of await accountDeletions.due())
        await this.#queue.add('delete-account-logs', { accountId, isListed: true }, { jobId: accountId, ...dropped })
    } catch (error) {
      this.#warn({ err: error })
    }
  }

  async #refresh(): Promise<void> {
    const startedAt = performance.now()
    for (const accountId of await this.#options.deletedAccounts.list()) this.#deleted.add(accountId)
    this.#listedAt = startedAt
  }
}
