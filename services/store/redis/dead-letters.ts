import type { Job, Queue } from 'bullmq'
import { z } from 'zod'
import {
  batchJobOptions,
  deadEventQueue,
  eventsOfJobName,
  jobNameOf,
  packEventBatch,
  requestEventQueue,
} from '#shared/pipeline/queue.ts'
import { isoTime } from '#core/period.ts'
import { Problem } from '#core/problem.ts'
import { lazyQueue } from '#shared/pipeline/lazy-queue.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { DeadLetter, DeadLetterDetails } from '#schemas/pipeline.ts'

/** For longer than any action takes, so that a crash does not lock a letter for good, s. */
const lockSeconds = 60

const RejectedLines = z.array(z.object({ line: z.string(), reason: z.string() }))

export type DeadLetters = ReturnType<typeof createDeadLetters>

interface Queues {
  /** Single events that can't be stored. */
  events: Queue
  batches: Queue
}

interface Found {
  kind: DeadLetter['kind']
  job: Job
  /** The shard's queue, for a retry. */
  batches: Queue
}

/** Single events that could not be stored, and batches that could not be read. */
export function createDeadLetters(shards: QueueShards) {
  const [{ redis, tag }] = shards
  const lazyQueues = shards.map((shard) => ({
    events: lazyQueue(deadEventQueue, shard),
    batches: lazyQueue(requestEventQueue, shard),
  }))

  const queues = (): Promise<Queues[]> =>
    Promise.all(
      lazyQueues.map(async ({ events, batches }) => ({
        events: await events.connected(),
        batches: await batches.connected(),
      })),
    ).catch((error: unknown) => {
      throw new Problem('unavailable', { cause: error })
    })

  /** The id of a requeued letter does not contain a shard, so all are searched. */
  async function find(id: string): Promise<Found | undefined> {
    const found = await Promise.all((await queues()).map((each) => findIn(each, id)))
    return found.find((each) => each !== undefined)
  }

  /**
   * If several operators act on a letter at once, only the first one does.
   * @returns false if the letter does not exist
   * @throws Problem `conflict` for the others
   */
  async function actAlone(id: string, act: (found: Found) => Promise<void>): Promise<boolean> {
    await queues()
    const lock = `${pipelineKeys({ tag }).letterLock}:${id}`
    if (!(await redis.set(lock, 1, 'EX', lockSeconds, 'NX'))) throw new Problem('conflict')
    try {
      const found = await find(id)
      if (found) await act(found)
      return found !== undefined
    } finally {
      await redis.del(lock)
    }
  }

  return {
    /** Oldest first. */
    async list({ offset, limit }: { offset: number; limit: number }): Promise<DeadLetter[]> {
      const letters = await Promise.all((await queues()).map((each) => lettersIn(each, offset + limit)))
      return letters
        .flat()
        .toSorted((a, b) => a.failedAt.localeCompare(b.failedAt))
        .slice(offset, offset + limit)
    },

    async get(id: string): Promise<DeadLetterDetails | undefined> {
      const found = await find(id)
      if (!found) return undefined
      const lines = found.kind === 'events' ? RejectedLines.parse(found.job.data) : []
      return { ...toLetter(found.kind, found.job), lines }
    },

    /** Sends the letter through the pipeline again. */
    requeue: (id: string): Promise<boolean> =>
      actAlone(id, (found) => (found.kind === 'events' ? requeueEvents(found) : found.job.retry('failed'))),

    drop: (id: string): Promise<boolean> =>
      actAlone(id, async ({ job }) => {
        // Counts first, so that after a crash the sum may be too high, but never too low.
        await redis.incrby(pipelineKeys({ tag }).dropped, eventsOfJobName(job.name))
        await job.remove()
      }),

    async close(): Promise<void> {
      for (const { events, batches } of lazyQueues) await Promise.all([events.close(), batches.close()])
    },
  }
}

async function findIn({ events, batches }: Queues, id: string): Promise<Found | undefined> {
  const event = await events.getJob(id)
  if (event) return { kind: 'events', job: event, batches }
  const batch = await batches.getJob(id)
  return batch && (await batch.isFailed()) ? { kind: 'batch', job: batch, batches } : undefined
}

async function lettersIn({ events, batches }: Queues, count: number): Promise<DeadLetter[]> {
  const [dead, failed] = await Promise.all([
    events.getJobs(['waiting'], 0, count, true),
    batches.getJobs(['failed'], 0, count, true),
  ])
  return [...dead.map((job) => toLetter('events', job)), ...failed.map((job) => toLetter('batch', job))]
}

/** Adds before it removes: after an interruption, the next attempt adds the same batch, which has no effect. */
async function requeueEvents({ job, batches }: Found): Promise<void> {
  const lines = RejectedLines.parse(job.data).map(({ line }) => `${line}\n`)
  const batch = await packEventBatch([Buffer.from(lines.join(''))], lines.length)
  const jobId = `${job.id}-again`
  await batches.add(jobNameOf(lines.length), batch, { ...batchJobOptions, jobId })
  await job.remove()
}

const toLetter = (kind: DeadLetter['kind'], job: Job): DeadLetter => ({
  id: job.id ?? '',
  kind,
  events: eventsOfJobName(job.name),
  reason: job.failedReason ?? RejectedLines.safeParse(job.data).data?.[0]?.reason ?? 'unknown',
  failedAt: isoTime(job.finishedOn ?? job.timestamp),
})
