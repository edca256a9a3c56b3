import { Job, Queue, Worker } from 'bullmq'
import { requestEventQueue } from '#core/queue.ts'
import type { Logger } from '#core/logger.ts'
import type { Redis } from '#core/resources.ts'
import { minute, second } from '#core/units.ts'
import type { RequestLogStore } from '#store/request-logs.ts'
import { type ReadBatch, readBatch } from './batch-reader.ts'
import { Batcher } from './batcher.ts'
import { type BatchGroup, GroupLedger } from './group-ledger.ts'

/** Batches in work at once: enough to fill a group of 50,000 rows. */
const concurrency = 64

/** Events that can't be stored wait here, with the reason, for an operator. */
const deadEventQueue = 'request-events-dead'

/** How long the running inserts may take when the process stops. */
const drainMs = 20 * second

export interface EventWorkerOptions {
  redis: Redis
  logs: RequestLogStore
  logger: Logger
}

/**
 * Takes batches of request events from the queue and brings them into ClickHouse: nothing lost, nothing twice.
 * A batch is only done once it is stored; a dead worker's batches go to another one.
 */
export function startEventWorker({ redis, logs, logger }: EventWorkerOptions): { stop(): Promise<void> } {
  const queue = new Queue(requestEventQueue, { connection: redis })
  const deadEvents = new Queue(deadEventQueue, { connection: redis })
  const ledger = new GroupLedger(redis)
  const batcher = new Batcher({ insert: logs.insert, ledger, logger })
  const replays = new Map<string, Promise<void>>()

  async function readAndSift(job: Job): Promise<ReadBatch> {
    const batch = await readBatch(job)
    if (batch.rejected.length > 0) {
      logger.error(
        { batch: batch.id, count: batch.rejected.length },
        'events that can not be read went to the dead letters',
      )
      await deadEvents.add('events', batch.rejected, { jobId: batch.id })
    }
    return batch
  }

  async function replay(group: BatchGroup): Promise<void> {
    const jobs = await Promise.all(group.batchIds.map((id) => Job.fromId(queue, id)))
    const missing = group.batchIds.filter((_id, at) => !jobs[at])
    if (missing.length > 0) throw new Error(`batches of group ${group.id} are gone: ${missing.join(', ')}`)
    await batcher.replay(group, await Promise.all(jobs.map((job) => readAndSift(job!))))
  }

  async function work(job: Job): Promise<void> {
    const group = await ledger.find(job.id!)
    if (group?.stored) return
    if (!group) return batcher.add(await readAndSift(job))
    let running = replays.get(group.id)
    if (!running) {
      running = replay(group).finally(() => replays.delete(group.id))
      replays.set(group.id, running)
    }
    await running
  }

  const worker = new Worker(requestEventQueue, work, {
    connection: redis,
    concurrency,
    lockDuration: minute,
    stalledInterval: 15 * second,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  })
  worker.on('error', (error) => logger.warn({ err: error }, 'the queue can not be reached'))
  worker.on('failed', (job, error) => logger.error({ err: error, batch: job?.id }, 'a batch failed'))

  return {
    async stop() {
      const giveUp = setTimeout(() => batcher.stop(), drainMs)
      await worker.close()
      clearTimeout(giveUp)
      await queue.close()
      await deadEvents.close()
    },
  }
}
