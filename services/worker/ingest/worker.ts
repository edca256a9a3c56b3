import { setTimeout as sleep } from 'node:timers/promises'
import { Job, Queue, UnrecoverableError, Worker } from 'bullmq'
import pLimit from 'p-limit'
import { deadEventQueue, jobNameOf, requestEventQueue } from '#shared/pipeline/queue.ts'
import type { Logger } from '#core/logger.ts'
import { occasionalWarning } from '#core/occasional-warning.ts'
import { type QueueShard, type QueueShards, queueOptions } from '#core/redis/queue-shards.ts'
import { second } from '#core/units.ts'
import type { AccountDeletionStore } from '#store/postgres/account-deletions.ts'
import type { AccountStateStore } from '#store/redis/account-state.ts'
import type { DeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import type { RequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { closeWorker } from '../close-worker.ts'
import { DeletedAccounts } from './account-deletion.ts'
import { batchIdOf, type ReadBatch, readBatch } from './batch-reader.ts'
import { Batcher } from './batcher.ts'
import { ByteBudget } from './byte-budget.ts'
import { type BatchGroup, GroupLedger, rememberedMs } from './group-ledger.ts'
import { insertIntervalMs, maxBytes } from '#shared/pipeline/group-limits.ts'
import { createWorkerReporter, type InsertResult } from './report.ts'
import type { UsageMetrics } from './usage-metrics.ts'

/** Parallel batches of a shard: enough to fill a group of 50,000 rows. */
const concurrency = 64

/** Bytes of events in memory, in full groups: one that is being inserted, and half of the next one. */
const groupsInMemory = 1.5

/** One batch is parsed while the next one is decompressed. */
const unpackConcurrency = 2

/** Pause before a batch is tried again, ms; inserts have pauses of their own. */
const retryMs = second

/** A worker that is silent for this long is considered dead, which is harmless if it is not. */
const lockMs = 15 * second
const stalledEveryMs = 5 * second

interface EventWorkerOptions {
  shards: QueueShards
  logs: Pick<RequestLogStore, 'insert' | 'isAnyStored'>
  deletedAccounts: DeletedAccountStore
  accountDeletions: AccountDeletionStore
  accountState: AccountStateStore
  /** Called after every insert. */
  onInsert?: (result: InsertResult) => void
  usage: UsageMetrics
  logger: Logger
}

/**
 * Inserts batches of request events from the queue into ClickHouse, exactly once. A job completes only once its batch
 * is stored; another worker takes over the batches of a dead one.
 */
export function startEventWorker(options: EventWorkerOptions) {
  const { shards } = options
  const reporter = createWorkerReporter(shards[0])
  const onInsert = (result: InsertResult) => {
    reporter.noteInsert(result)
    options.onInsert?.(result)
  }
  const deletions = new DeletedAccounts({ ...options, shard: shards[0] })
  // Each shard has its own share of the memory, so that one that is unavailable does not block the others.
  const groupBytes = maxBytes / shards.length
  const intervalMs = () => insertIntervalMs(reporter.workers() * shards.length)
  const consumers = shards.map((shard) =>
    startConsumer({ ...options, shard, deletions, groupBytes, onInsert, intervalMs }),
  )
  return {
    async stop(): Promise<void> {
      await Promise.all(consumers.map((consumer) => consumer.stop()))
      await deletions.stop()
      await reporter.stop()
    },
  }
}

interface ConsumerOptions extends Omit<EventWorkerOptions, 'shards' | 'deletedAccounts' | 'accountDeletions'> {
  shard: QueueShard
  deletions: DeletedAccounts
  groupBytes: number
  intervalMs(): number
}

/** Each group belongs to one shard, so shards do not depend on each other. */
function startConsumer(options: ConsumerOptions) {
  const { shard, logs, logger, deletions, groupBytes, onInsert, intervalMs, usage } = options
  const queue = new Queue(requestEventQueue, queueOptions(shard))
  const deadEvents = new Queue(deadEventQueue, queueOptions(shard))
  for (const each of [queue, deadEvents]) each.on('error', () => undefined)
  const ledger = new GroupLedger(shard)
  const batcher = new Batcher({
    insert: logs.insert,
    ledger,
    maxBatches: concurrency,
    maxBytes: groupBytes,
    intervalMs,
    logger,
    onInsert,
    onStored: usage.count,
  })
  const budget = new ByteBudget(groupsInMemory * groupBytes)
  const unpacking = pLimit(unpackConcurrency)
  const retries = new Map<string, Promise<void>>()

  const unpack = (job: Job) => unpacking(() => readBatch(job, usage.labels))

  async function readValid(job: Job): Promise<ReadBatch> {
    const batch = await unpack(job)
    const count = batch.rejected.length
    if (count > 0) {
      logger.error({ batch: batch.id, count }, 'invalid events were moved to the dead letters')
      await deadEvents.add(jobNameOf(count), batch.rejected, { jobId: batch.id })
    }
    return batch
  }

  async function retryInsert(group: BatchGroup): Promise<void> {
    const jobs = await Promise.all(group.batchIds.map((id) => Job.fromId(queue, id)))
    if (jobs.every((job) => job !== undefined)) {
      const batches: ReadBatch[] = []
      for (const job of jobs) batches.push(await readValid(job))
      await batcher.store(group, batches)
      for (const { accountIds } of batches) await deletions.afterStoring(accountIds)
      return
    }
    // Otherwise, another worker has stored it just now.
    const wasRemoved = await ledger.forget(group)
    if (wasRemoved)
      logger.error({ group: group.id }, 'a batch of a group no longer exists; the others are stored without it')
  }

  /** Afterwards, the group is stored, or dissolved so that its batches can join another one. */
  async function retryOnce(group: BatchGroup): Promise<void> {
    const running = retries.get(group.id) ?? retryInsert(group).finally(() => retries.delete(group.id))
    retries.set(group.id, running)
    await running
  }

  async function store(job: Job): Promise<void> {
    const id = batchIdOf(job)
    let batch: ReadBatch | undefined
    let mustLookUp = Date.now() - uuidTimeMs(id) > rememberedMs
    for (;;) {
      const group = await ledger.find(id)
      if (group?.stored) break
      if (group) {
        await retryOnce(group)
        mustLookUp = true
        continue
      }
      batch ??= await readValid(job)
      if (mustLookUp && (await logs.isAnyStored(batch.sample))) break
      if (await batcher.add(batch)) break
    }
    // Also for a batch that was stored before: its worker may have died in between.
    batch ??= await unpack(job)
    await deletions.afterStoring(batch.accountIds)
  }

  async function work(job: Job): Promise<void> {
    const release = await budget.take(Number(job.data?.bytes) || 0)
    try {
      await store(job)
    } catch (error) {
      // Then the queue puts the batch behind all others, so that those which keep failing do not hold them back.
      if (!(error instanceof UnrecoverableError)) await sleep(retryMs)
      throw error
    } finally {
      release()
    }
  }

  const worker = new Worker(requestEventQueue, work, {
    ...queueOptions(shard),
    concurrency,
    lockDuration: lockMs,
    stalledInterval: stalledEveryMs,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  })
  const warn = occasionalWarning(logger, 'the queue is unreachable')
  worker.on('error', (error) => warn({ err: error }))
  const warnOfRetry = occasionalWarning(logger, 'batches could not be stored; trying again')
  worker.on('failed', (job, error) => {
    const details = { err: error, batch: job?.id }
    if (error instanceof UnrecoverableError) logger.error(details, 'a batch is kept as a dead letter')
    else warnOfRetry(details)
  })

  return {
    async stop() {
      batcher.stop()
      await closeWorker(worker, [queue, deadEvents], shard)
    },
  }
}
