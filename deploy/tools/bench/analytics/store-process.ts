/**
 * `node store-process.ts ROWS DATA_DIR`: one store, because the embedded engine allows one per process. Fills it, sends
 * its tables and cases, and then times cases on request.
 */
import { pino } from 'pino'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import { createCases } from './cases.ts'
import { fill, largestAccount } from './fill.ts'
import type { Filled, Timed, TimingJob } from './store.ts'
import { required } from '#tools/process/required.ts'

const [rows, dataDir = ''] = process.argv.slice(2)
const clickhouse = await openClickHouse({ clickhouseUrl: undefined, dataDir })
await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
await fill(clickhouse, Number(rows))
const cases = await createCases(clickhouse, largestAccount)

async function time({ at, runs }: TimingJob): Promise<Timed> {
  const times: number[] = []
  const before = process.cpuUsage()
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    await required(cases[at], 'case').call()
    times.push(performance.now() - startedAt)
  }
  const { user, system } = process.cpuUsage(before)
  return { times, cpuMs: (user + system) / 1_000 }
}

process.on('message', (job: TimingJob) => void time(job).then((timed) => process.send?.(timed)))
process.once('disconnect', () => void clickhouse.close().then(() => process.exit()))
const tables = await selectRows<Filled['tables'][number]>(
  clickhouse,
  `SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts
    WHERE active AND database = currentDatabase() GROUP BY name ORDER BY name`,
)
process.send?.({ tables, cases: cases.map(({ name, goals }) => ({ name, goals })) } satisfies Filled)
