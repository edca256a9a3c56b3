import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { percentile } from '#store/clickhouse/analytics/histogram.ts'
import { cpuTimeMs, machineCpuMs } from '#tools/load/process-stats.ts'
import { type Row, round } from '#tools/load/report.ts'
import { record } from './recording.ts'
import { type Run, startWorker, stored } from './run.ts'
import { required } from '#tools/process/required.ts'

/** Events a second. */
export const rate = 20_000

const Report = z.object({ events: z.number(), tookMs: z.number(), cpuMs: z.number(), longestHoldMs: z.number() })

/** A constant rate, from the recorder to the row in ClickHouse. */
export async function measureRate(run: Run): Promise<Row[]> {
  await startWorker(run)
  const seconds = 4 * run.context.options.seconds
  const before = await cpuTimes(run)
  const report = Report.parse(await record(run, { rate, seconds }))
  const deadline = performance.now() + 60_000
  while ((await stored(run)).events < report.events && performance.now() < deadline) await sleep(500)
  const after = await cpuTimes(run)
  const { events, lags } = await stored(run)
  const lag = percentile(lags, 0.95) ?? Number.NaN
  const recorded = report.events / (report.tookMs / 1_000)
  const [machine = Number.NaN, ...others] = after.map((ms, at) => ms - (before[at] ?? Number.NaN))
  const ours = [report.cpuMs, ...others]
  const elsewhere = machine - ours.reduce((sum, ms) => sum + ms, 0)
  return [
    [
      'events/s recorded, shipped and stored',
      round(recorded, 0),
      '20,000',
      events === report.events && recorded >= 0.98 * rate ? 'yes' : 'no',
    ],
    ['of those, stored', `${events} of ${report.events}`, 'all', events === report.events ? 'yes' : 'no'],
    ['lag from end to row, p95 ms', round(lag, 0), '3,000', lag <= 3_000 ? 'yes' : 'no'],
    ['longest time the recorder’s event loop was held, ms', round(report.longestHoldMs, 0), undefined, undefined],
    [
      'CPU an event, µs: recorder, queue, worker, ClickHouse',
      ours.map((ms) => round((ms * 1_000) / events, 1)).join(', '),
      undefined,
      undefined,
    ],
    ['CPU that other processes of the machine took meanwhile, s', round(elsewhere / 1_000, 1), undefined, undefined],
  ]
}

/** Of the whole machine, then of each process of the pipeline, ms. */
const cpuTimes = ({ context }: Run): Promise<number[]> =>
  Promise.all([
    machineCpuMs(),
    ...['Redis (queue)', 'worker', 'ClickHouse'].map((name) => cpuTimeMs(required(context.pidOf(name), name))),
  ]).then((times) => times.map((ms) => ms ?? Number.NaN))
