import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Histogram, percentile } from '#store/clickhouse/analytics/histogram.ts'
import { cpuTimeMs, machineCpuMs } from '#tools/load/process-stats.ts'
import { type Row, round, yesOrNo } from '#tools/load/report.ts'
import { record } from './recording.ts'
import { type Run, startWorker, stored } from './run.ts'
import { required } from '#tools/process/required.ts'

/** Events per second. */
export const highRate = 20_000
export const lowRate = 50

const tagsOfEvent = 5
const taggedRounds = 3

/** Fractions of a core, and ms. */
const goals = { lowRateCores: 0.04, lowRateLagMs: 1_500, highRateLagMs: 3_000, tagged: 1.1 }

const Report = z.object({ events: z.number(), tookMs: z.number(), cpuMs: z.number(), longestHoldMs: z.number() })

/** Measures from the recorder to the row in ClickHouse. */
export async function measureHighRate(run: Run): Promise<Row[]> {
  const { report, storedEvents, lagMs, recorderMs, pipelineMs, elsewhereMs } = await measureAt(run, highRate)
  const recorded = report.events / (report.tookMs / 1_000)
  const isComplete = storedEvents === report.events
  const cpu = [recorderMs, ...pipelineMs].map((ms) => round((ms * 1_000) / storedEvents, 1)).join(', ')
  return [
    [
      'events/s recorded, shipped and stored',
      round(recorded, 0),
      '20,000',
      yesOrNo(isComplete && recorded >= 0.98 * highRate),
    ],
    ['of those, stored', `${storedEvents} of ${report.events}`, 'all', yesOrNo(isComplete)],
    [
      'lag from end to row, p95 ms',
      round(lagMs, 0),
      round(goals.highRateLagMs, 0),
      yesOrNo(lagMs <= goals.highRateLagMs),
    ],
    ['longest time the recorder’s event loop was held, ms', round(report.longestHoldMs, 0), undefined, undefined],
    ['CPU an event, µs: recorder, queue, worker, ClickHouse', cpu, undefined, undefined],
    ['CPU that other processes of the machine took meanwhile, s', round(elsewhereMs / 1_000, 1), undefined, undefined],
  ]
}

/** Measures the cost of few events, which is dominated by inserts, not rows. */
export async function measureLowRate(run: Run): Promise<Row[]> {
  const { report, lagMs, pipelineMs } = await measureAt(run, lowRate)
  const shares = pipelineMs.map((ms) => ms / report.tookMs)
  const cores = shares.reduce((sum, share) => sum + share)
  const parts = shares.map((share) => round(share, 3)).join(', ')
  return [
    [`${lowRate} events/s: cores`, round(cores, 2), goals.lowRateCores, yesOrNo(cores <= goals.lowRateCores)],
    ['of those: queue, worker, ClickHouse', parts, undefined, undefined],
    [
      'lag from end to row, p95 ms',
      round(lagMs, 0),
      round(goals.lowRateLagMs, 0),
      yesOrNo(lagMs <= goals.lowRateLagMs),
    ],
  ]
}

export async function measureTagged(run: Run): Promise<Row[]> {
  const cpuUs = { plain: 0, tagged: 0 }
  for (let turn = 0; turn < taggedRounds; turn += 1) {
    cpuUs.plain += await cpuOfEvent(run, 0)
    cpuUs.tagged += await cpuOfEvent(run, tagsOfEvent)
  }
  const ratio = cpuUs.tagged / cpuUs.plain
  const name = `CPU an event with ${tagsOfEvent} tags × without`
  return [[name, round(ratio, 2), goals.tagged, yesOrNo(ratio <= goals.tagged)]]
}

async function cpuOfEvent(run: Run, tags: number): Promise<number> {
  const { storedEvents, recorderMs, pipelineMs } = await measureAt(run, highRate, tags)
  return (1_000 * pipelineMs.reduce((sum, ms) => sum + ms, recorderMs)) / storedEvents
}

async function measureAt(run: Run, rate: number, tags = 0) {
  await startWorker(run)
  const seconds = 4 * run.context.options.seconds
  const earlier = await stored(run)
  const before = await cpuTimes(run)
  const report = Report.parse(await record(run, { rate, seconds, tags }))
  const deadline = performance.now() + 60_000
  while ((await stored(run)).events - earlier.events < report.events && performance.now() < deadline) await sleep(500)
  const after = await cpuTimes(run)
  const { events, lags } = await stored(run)
  const [machineMs = Number.NaN, ...pipelineMs] = after.map((ms, at) => ms - (before[at] ?? Number.NaN))
  return {
    report,
    storedEvents: events - earlier.events,
    lagMs: percentile(difference(lags, earlier.lags), 0.95) ?? Number.NaN,
    recorderMs: report.cpuMs,
    pipelineMs,
    elsewhereMs: machineMs - pipelineMs.reduce((sum, ms) => sum + ms, report.cpuMs),
  }
}

const difference = (later: Histogram, earlier: Histogram): Histogram =>
  Object.fromEntries(
    Object.entries(later).map(([bucket, count]) => [bucket, Number(count) - Number(earlier[bucket] ?? 0)]),
  )

/** CPU times of the whole machine, then of each process of the pipeline, ms. */
const cpuTimes = ({ context }: Run): Promise<number[]> =>
  Promise.all([
    machineCpuMs(),
    ...['Redis (queue)', 'worker', 'ClickHouse'].map((name) => cpuTimeMs(required(context.pidOf(name), name))),
  ]).then((times) => times.map((ms) => ms ?? Number.NaN))
