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
import { Problem } from '#core/problem.ts'
import { lazyQueue } from '#shared/pipeline/lazy-queue.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { DeadLetter, DeadLetterDetails } from '#schemas/pipeline.ts'

const RejectedLines = z.array(z.object({ line: z.string(), reason: z.string() }))

export interface DeadLetters {
  /** Oldest first. */
  list(page: { offset: number; limit: number }): Promise<DeadLetter[]>
  /** @returns undefined when there is no such letter */
  get(id: string): Promise<DeadLetterDetails | undefined>
  /** Sends it through the pipeline again. @returns whether there was such a letter */
  replay(id: string): Promise<boolean>
  /** Gives it up for good. @returns whether there was such a letter */
  drop(id: string): Promise<boolean>
  close(): Promise<void>
}

/** What a shard of the queue has: what is to be stored, with what failed of it, and single events that can't be. */
interface Queues {
  events: Queue
  batches: Queue
}

interface Found {
  kind: DeadLetter['kind']
  job: Job
  /** Where it goes when it is replayed: the shard that it came from. */
  batches: Queue
}

/** What could not be stored: single events, and batches that could not be read. Both stay until somebody decides. */
export function createDeadLetters(shards: QueueShards): DeadLetters {
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

  /** What was replayed has an id of its own, which tells no shard: all are asked. */
  async function find(id: string): Promise<Found | undefined> {
    const found = await Promise.all((await queues()).map((each) => findIn(each, id)))
    return found.find((each) => each !== undefined)
  }

  return {
    async list({ offset, limit }) {
      const letters = await Promise.all((await queues()).map((each) => lettersIn(each, offset + limit)))
      return letters
        .flat()
        .toSorted((a, b) => a.failedAt.localeCompare(b.failedAt))
        .slice(offset, offset + limit)
    },

    async get(id) {
      const found = await find(id)
      if (!found) return undefined
      const lines = found.kind === 'events' ? RejectedLines.parse(found.job.data) : []
      return { ...toLetter(found.kind, found.job), lines }
    },

    async replay(id) {
      const found = await find(id)
      if (!found) return false
      if (found.kind === 'events') await replayEvents(found)
      else await found.job.retry('failed')
      return true
    },

    async drop(id) {
      const found = await find(id)
      if (!found) return false
      // Counted first: the sum may be one too many after a crash, never one too few.
      await redis.incrby(pipelineKeys({ tag }).dropped, eventsOfJobName(found.job.name))
      await found.job.remove()
      return true
    },

    async close() {
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

/** Adding before removing: interrupted between the two, the next try adds the very same batch, which changes nothing. */
async function replayEvents({ job, batches }: Found): Promise<void> {
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
  failedAt: new Date(job.finishedOn ?? job.timestamp).toISOString(),
})
