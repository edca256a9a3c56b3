import { Job, Queue, Worker } from 'bullmq'
import pLimit from 'p-limit'
import { deadEventQueue, jobNameOf, requestEventQueue } from '#shared/pipeline/queue.ts'
import type { Logger } from '#core/logger.ts'
import { type QueueShard, type QueueShards, queueOptions } from '#core/redis/queue-shards.ts'
import { mib, second } from '#core/units.ts'
import type { CachedAnswerStore } from '#store/redis/cached-answers.ts'
import type { DeletedAccountStore } from '#store/clickhouse/deleted-accounts.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import type { RequestLogStore } from '#store/clickhouse/request-logs.ts'
import { DeletedAccounts } from './account-deletion.ts'
import { batchIdOf, type ReadBatch, readBatch } from './batch-reader.ts'
import { Batcher } from './batcher.ts'
import { ByteBudget } from './byte-budget.ts'
import { type BatchGroup, GroupLedger, rememberedMs } from './group-ledger.ts'
import { createWorkerReporter, type InsertResult } from './report.ts'

/** Batches of a shard under way at once: enough to fill a group of 50,000 rows. */
const concurrency = 64

/** Bytes of events in memory, before they become rows: one group on its way to ClickHouse, and the next one. */
const maxBytes = 24 * mib

/** Batches unpacked at once: one is parsed while the next one is decompressed. */
const unpackedAtOnce = 2

/** A worker that is silent for this long counts as dead. If it is not, no harm is done. */
const lockMs = 15 * second
const stalledEveryMs = 5 * second

export interface EventWorkerOptions {
  shards: QueueShards
  logs: RequestLogStore
  deletedAccounts: DeletedAccountStore
  cachedAnswers: CachedAnswerStore
  /** Called after every insert, beside the reports. */
  onInsert?: (result: InsertResult) => void
  logger: Logger
}

interface Stoppable {
  stop(): Promise<void>
}

/**
 * Takes batches of request events from the queue and brings them into ClickHouse: nothing lost, nothing twice.
 * A batch is only done once it is stored; a dead worker's batches go to another one.
 */
export function startEventWorker(options: EventWorkerOptions): Stoppable {
  const { shards } = options
  const reporter = createWorkerReporter(shards[0])
  const onInsert = (result: InsertResult) => {
    reporter.noteInsert(result)
    options.onInsert?.(result)
  }
  const deletions = new DeletedAccounts({ ...options, shard: shards[0] })
  // Each shard has its own part of the memory: one whose Redis is away must not hold up the others.
  const budgetBytes = maxBytes / shards.length
  const consumers = shards.map((shard) => startConsumer({ ...options, shard, deletions, budgetBytes, onInsert }))
  return {
    async stop() {
      await Promise.all(consumers.map((consumer) => consumer.stop()))
      await deletions.stop()
      await reporter.stop()
    },
  }
}

interface ConsumerOptions extends Omit<EventWorkerOptions, 'shards' | 'deletedAccounts'> {
  shard: QueueShard
  deletions: DeletedAccounts
  budgetBytes: number
}

/** Shards share nothing, so groups are of one shard, and each goes on while another is away. */
function startConsumer({ shard, logs, logger, deletions, budgetBytes, onInsert }: ConsumerOptions): Stoppable {
  const queue = new Queue(requestEventQueue, queueOptions(shard))
  const deadEvents = new Queue(deadEventQueue, queueOptions(shard))
  for (const each of [queue, deadEvents]) each.on('error', () => undefined)
  const ledger = new GroupLedger(shard)
  const batcher = new Batcher({ insert: logs.insert, ledger, logger, onInsert })
  const budget = new ByteBudget(budgetBytes)
  const unpacking = pLimit(unpackedAtOnce)
  const retries = new Map<string, Promise<void>>()

  async function readValid(job: Job): Promise<ReadBatch> {
    const batch = await unpacking(() => readBatch(job))
    const count = batch.rejected.length
    if (count > 0) {
      logger.error({ batch: batch.id, count }, 'events that can not be read went to the dead letters')
      await deadEvents.add(jobNameOf(count), batch.rejected, { jobId: batch.id })
    }
    return batch
  }

  async function retryInsert(group: BatchGroup): Promise<void> {
    const jobs = await Promise.all(group.batchIds.map((id) => Job.fromId(queue, id)))
    if (jobs.every((job) => job !== undefined)) {
      const batches: ReadBatch[] = []
      for (const job of jobs) batches.push(await readValid(job))
      return batcher.retryInsert(group, batches)
    }
    // A batch was removed by hand.
    logger.error({ group: group.id }, 'a batch of a group is gone; the others are stored without it')
    await ledger.forget(group)
  }

  /** Afterwards the group is stored, or it is forgotten and its batches are free for another one. */
  async function retryOnce(group: BatchGroup): Promise<void> {
    const running = retries.get(group.id) ?? retryInsert(group).finally(() => retries.delete(group.id))
    retries.set(group.id, running)
    await running
  }

  async function store(job: Job): Promise<void> {
    const id = batchIdOf(job)
    let batch: ReadBatch | undefined
    let mustLook = Date.now() - uuidTimeMs(id) > rememberedMs
    for (;;) {
      const group = await ledger.find(id)
      if (group?.stored) return
      if (group) {
        await retryOnce(group)
        mustLook = true
        continue
      }
      batch ??= await readValid(job)
      if (mustLook && (await logs.isAnyStored(batch.sample))) return
      if (await batcher.add(batch)) return deletions.afterStoring(batch.accountIds)
    }
  }

  async function work(job: Job): Promise<void> {
    const release = await budget.take(Number(job.data?.bytes) || 0)
    try {
      await store(job)
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
  worker.on('error', (error) => logger.warn({ err: error }, 'the queue can not be reached'))
  worker.on('failed', (job, error) => logger.error({ err: error, batch: job?.id }, 'a batch failed'))
  worker.on('closing', () => batcher.stop())

  return {
    async stop() {
      batcher.stop()
      await worker.close()
      await queue.close()
      await deadEvents.close()
    },
  }
}
