import { type Job, Queue } from 'bullmq'
import { z } from 'zod'
import { deadEventQueue, eventsOfJobName, jobNameOf, packEventBatch, requestEventQueue } from '#core/queue.ts'
import { Problem } from '#core/problem.ts'
import { pipelineKeys } from '#core/pipeline-keys.ts'
import type { Redis } from '#core/resources.ts'
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

interface Queues {
  events: Queue
  batches: Queue
}

/** What could not be stored: single events, and batches that could not be read. Both stay until somebody decides. */
export function createDeadLetters(redis: Redis): DeadLetters {
  let opened: Queues | undefined

  /** BullMQ prepares its connection once and never again, so it must not start while Redis is away. */
  async function queues(): Promise<Queues> {
    if (redis.status !== 'ready') throw new Problem('unavailable')
    if (!opened) {
      const [events, batches] = [deadEventQueue, requestEventQueue].map(
        (name) => new Queue(name, { connection: redis }),
      )
      for (const queue of [events!, batches!]) queue.on('error', () => undefined)
      opened = { events: events!, batches: batches! }
    }
    return opened
  }

  async function find(id: string): Promise<{ kind: DeadLetter['kind']; job: Job } | undefined> {
    const { events, batches } = await queues()
    const event = await events.getJob(id)
    if (event) return { kind: 'events', job: event }
    const batch = await batches.getJob(id)
    return batch && (await batch.isFailed()) ? { kind: 'batch', job: batch } : undefined
  }

  /** Adding before removing: interrupted between the two, the next try adds the very same batch, which changes nothing. */
  async function replayEvents(job: Job): Promise<void> {
    const { batches } = await queues()
    const lines = RejectedLines.parse(job.data).map(({ line }) => Buffer.from(`${line}\n`))
    const jobId = `${job.id}-again`
    await batches.add(jobNameOf(lines.length), await packEventBatch(lines), {
      jobId,
      attempts: Number.MAX_SAFE_INTEGER,
      backoff: { type: 'fixed', delay: 1_000 },
      removeOnComplete: true,
      removeOnFail: false,
      stackTraceLimit: 1,
    })
    await job.remove()
  }

  return {
    async list({ offset, limit }) {
      const { events, batches } = await queues()
      const [dead, failed] = await Promise.all([
        events.getJobs(['waiting'], 0, offset + limit, true),
        batches.getJobs(['failed'], 0, offset + limit, true),
      ])
      const letters = [...dead.map((job) => toLetter('events', job)), ...failed.map((job) => toLetter('batch', job))]
      return letters.toSorted((a, b) => a.failedAt.localeCompare(b.failedAt)).slice(offset, offset + limit)
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
      if (found.kind === 'events') await replayEvents(found.job)
      else await found.job.retry('failed')
      return true
    },

    async drop(id) {
      const found = await find(id)
      if (!found) return false
      // Counted first: the sum may be one too many after a crash, never one too few.
      await redis.incrby(pipelineKeys.dropped, eventsOfJobName(found.job.name))
      await found.job.remove()
      return true
    },

    async close() {
      await opened?.events.close()
      await opened?.batches.close()
    },
  }
}

const toLetter = (kind: DeadLetter['kind'], job: Job): DeadLetter => ({
  id: job.id!,
  kind,
  events: eventsOfJobName(job.name),
  reason: job.failedReason ?? RejectedLines.safeParse(job.data).data?.[0]?.reason ?? 'unknown',
  failedAt: new Date(job.finishedOn ?? job.timestamp).toISOString(),
})
