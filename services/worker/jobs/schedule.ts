import { type Job, Queue, Worker } from 'bullmq'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { Logger } from '#core/logger.ts'
import { occasionalWarning } from '#core/occasional-warning.ts'
import { type QueueShard, queueOptions } from '#core/redis/queue-shards.ts'
import { minute, second } from '#core/units.ts'
import { closeWorker } from '../close-worker.ts'

/**
 * A repeated job. It may run in two workers at once, but once at a time in each, and be interrupted anywhere, so its
 * queries must be idempotent.
 */
export interface ScheduledJob {
  name: string
  everyMs: number
  /** @param stopping once the worker stops: a round must not begin more work */
  run(stopping?: AbortSignal): Promise<void>
}

interface ScheduleOptions {
  shard: QueueShard
  jobs: readonly ScheduledJob[]
  metrics: Registry
  logger: Logger
  savedEveryMs?: number
}

const queueName = 'scheduled-jobs'

/** Runs jobs on a schedule; each round runs in one of the workers, or is skipped if the last one there still runs. */
export function startSchedule(options: ScheduleOptions): { stop(): Promise<void> } {
  const { shard, jobs, metrics, logger, savedEveryMs = minute } = options
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const finished = new Counter({
    name: 'sallyport_jobs_total',
    help: 'Runs of scheduled jobs by outcome.',
    labelNames: ['job', 'outcome'],
    registers: [metrics],
  })
  // Prometheus sees an increase only from a count that was there before.
  for (const job of byName.keys()) for (const outcome of ['done', 'failed']) finished.inc({ job, outcome }, 0)
  const duration = new Histogram({
    name: 'sallyport_job_duration_seconds',
    help: 'Duration of a run of a scheduled job.',
    labelNames: ['job'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120],
    registers: [metrics],
  })

  const queue = new Queue(queueName, queueOptions(shard))
  const warn = occasionalWarning(logger, 'the queue of scheduled jobs is unreachable')
  queue.on('error', (error) => warn({ err: error }))
  let saving = saveSchedule(queue, jobs)
    .then(() => removeOtherJobs(queue, byName))
    .catch((error: unknown) => logger.error({ err: error }, 'jobs could not be scheduled'))
  // A Redis that fails over, or is replaced, may have lost the schedule.
  const timer = setInterval(() => {
    if (shard.redis.status === 'ready') saving = saveSchedule(queue, jobs).catch((error) => warn({ err: error }))
  }, savedEveryMs)

  /** Names of jobs. Otherwise, the rounds of a job that hangs would take the slots of all others. */
  const running = new Set<string>()
  const stopping = new AbortController()
  async function run({ name }: Job): Promise<'done' | 'skipped'> {
    const job = byName.get(name)
    if (!job || running.has(name)) return 'skipped'
    running.add(name)
    const stopTimer = duration.startTimer({ job: name })
    try {
      await job.run(stopping.signal)
    } finally {
      running.delete(name)
    }
    stopTimer()
    return 'done'
  }

  const worker = new Worker(queueName, run, {
    ...queueOptions(shard),
    concurrency: jobs.length,
    stalledInterval: 30 * second,
  })
  worker.on('error', (error) => warn({ err: error }))
  worker.on('completed', ({ name }, outcome) => finished.inc({ job: name, outcome }))
  worker.on('failed', (job, error) => {
    finished.inc({ job: job?.name ?? 'unknown', outcome: 'failed' })
    logger.error({ err: error, job: job?.name }, 'a scheduled job failed; it runs again as scheduled')
  })

  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      if (shard.redis.status === 'ready') await saving
      await closeWorker(worker, [queue], shard)
    },
  }
}

/** A job that is already scheduled keeps its time. */
async function saveSchedule(queue: Queue, jobs: readonly ScheduledJob[]): Promise<void> {
  const options = { removeOnComplete: true, removeOnFail: 20 }
  const nextOf = new Map((await queue.getJobSchedulers()).map(({ key, next = 0 }) => [key, next]))
  for (const { name, everyMs } of jobs) {
    // The clock of the worker that scheduled it was ahead, so it would not run until that time has come.
    const isTooLate = (nextOf.get(name) ?? 0) > Date.now() + 2 * everyMs + minute
    if (isTooLate) await queue.removeJobScheduler(name)
    await queue.upsertJobScheduler(name, { every: everyMs }, { name, opts: options })
  }
}

/** Removes jobs of older versions. */
async function removeOtherJobs(queue: Queue, names: ReadonlyMap<string, ScheduledJob>): Promise<void> {
  for (const { key } of await queue.getJobSchedulers()) {
    if (!names.has(key)) await queue.removeJobScheduler(key)
  }
}
