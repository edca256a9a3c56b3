import type { Part } from './part.ts'
import { backlog, measureBacklog } from './pipeline/backlog.ts'
import { highRate, lowRate, measureHighRate, measureLowRate, measureTagged } from './pipeline/rate.ts'
import { measureRecording } from './pipeline/recording.ts'
import { type Run, startRun } from './pipeline/run.ts'
import { machineLine, markdownTable, type Row } from '#tools/load/report.ts'
import { writeMeasured } from './write-measured.ts'

const phases: { name: string; title: string; measure(run: Run): Promise<Row[]> }[] = [
  { name: 'record', title: 'Recording', measure: measureRecording },
  { name: 'low', title: `${lowRate} events/s`, measure: measureLowRate },
  { name: 'rate', title: `${highRate} events/s`, measure: measureHighRate },
  { name: 'tags', title: 'Events with tags', measure: measureTagged },
  { name: 'backlog', title: `Backlog of ${backlog} events`, measure: measureBacklog },
]

/** From the proxy's record of a request to its row in ClickHouse: cost, rate, lag and draining a backlog. */
export const pipelinePart: Part = async (context) => {
  const run = await startRun(context)
  const { progress } = context
  const rows: Row[] = []
  for (const { name, title, measure } of phases) {
    if (context.options.phases && !context.options.phases.includes(name)) continue
    rows.push(...(await progress.step(title, () => measure(run))))
  }
  await run.clickhouse.close()
  run.redis.disconnect()
  const table = markdownTable(['Pipeline', 'measured', 'goal', 'met'], rows)
  progress.print(`\n${table}\n\n${machineLine()}\n`)
  if (context.options.write) progress.print(await writeMeasured('pipeline', `${table}\n\n${machineLine()}`))
}
