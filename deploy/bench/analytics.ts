/**
 * `npm run bench:analytics`: how long the screens' queries take on a store with many rows.
 * `--rows N` (10,000,000), `--runs N` (30), `--data-dir DIR` keeps the seeded store for another run, `--write` puts the
 * table into README.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { openClickHouse } from '#core/resources.ts'
import { day, mib } from '#core/units.ts'
import { seedRequestLogs } from '#deploy/seed/seed.ts'
import { RequestLogQuery } from '#schemas/request-logs.ts'
import { createAnalyticsStore } from '#store/analytics.ts'
import { selectRows } from '#store/clickhouse-rows.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import { createRequestLogStore } from '#store/request-logs.ts'
import { createUsageStore } from '#store/usage.ts'
import { percentile } from './percentile.ts'
import { machineLine, markdownTable, type Row, round } from './report.ts'
import { writeReadme } from './write-readme.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    runs: { type: 'string', default: '30' },
    'data-dir': { type: 'string' },
    write: { type: 'boolean' },
  },
})
const rows = Number(values.rows)
const runs = Number(values.runs)
const account = '0199a000-0000-7000-8000-00000000beef'

const dataDir = values['data-dir'] ?? (await mkdtemp(join(tmpdir(), 'sallyport-bench-')))
const clickhouse = await openClickHouse({ clickhouseUrl: undefined, dataDir })
await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
await fill()
await settle()

const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90 })
const analytics = createAnalyticsStore(clickhouse)
const now = Date.now()
const page = (query: Record<string, unknown> = {}) => RequestLogQuery.parse(query)
const range = (days: number) => ({ from: now - days * day, to: now, timezone: 'Asia/Kolkata' })
const [middle] = await logs.list(account, page({ offset: 20_000, limit: 1 }))
const known = (await logs.list(account, page({ limit: 50, cursor: middle!.id }))).map(({ id }) => id)
let turn = 0
const anyKnown = () => known[(turn += 1) % known.length]!

/** Name, what is measured, and the limit at 10 and at 100 million rows, ms. */
const cases: [string, () => Promise<unknown>, number, number][] = [
  ['Dashboard: stats of all time', () => createUsageStore(clickhouse).stats(account), 50, 100],
  ['Dashboard: use of each key', () => createUsageStore(clickhouse).byCredential(account, 'api_key_id'), 50, 100],
  ['Dashboard: latest 5 logs', () => logs.list(account, page({ limit: 5 })), 50, 100],
  ['Analytics: 24 hours', () => analytics.read(account, range(1)), 50, 100],
  ['Analytics: 7 days', () => analytics.read(account, range(7)), 50, 100],
  ['Analytics: 30 days', () => analytics.read(account, range(30)), 50, 100],
  ['Analytics: 90 days', () => analytics.read(account, range(90)), 50, 100],
  ['Logs: count, no filter', () => logs.count(account, page()), 50, 100],
  [
    'Logs: count, errors of a model, 7 days',
    () => logs.count(account, page({ status: 'error', model: 'o3', timeRange: '7d' })),
    50,
    100,
  ],
  ['Logs: newest page', () => logs.list(account, page()), 60, 60],
  ['Logs: next page by cursor', () => logs.list(account, page({ cursor: anyKnown() })), 60, 60],
  ['Logs: errors, newest page', () => logs.list(account, page({ status: 'error' })), 60, 60],
  ['Logs: one by id', () => logs.get(account, anyKnown()), 60, 60],
  ['Logs: word search, newest 50', () => logs.list(account, page({ search: 'rate limit', limit: 50 })), 100, 100],
  ['Logs: rare word, newest 50', () => logs.list(account, page({ search: anyKnown(), limit: 50 })), 100, 100],
  ['Logs: count of a word search', () => logs.count(account, page({ search: 'rate limit' })), 100, 100],
]

const results: Row[] = []
for (const [name, call, at10, at100] of cases) {
  for (let warm = 0; warm < 3; warm += 1) await call()
  const times: number[] = []
  const cpuBefore = process.cpuUsage()
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now()
    await call()
    times.push(performance.now() - startedAt)
  }
  const cpu = process.cpuUsage(cpuBefore)
  const cpuMs = (cpu.user + cpu.system) / 1_000 / runs
  const limit = rows > 10_000_000 ? at100 : at10
  const p95 = percentile(times, 0.95)
  const figures = [percentile(times, 0.5), p95, cpuMs].map((ms) => round(ms, 1))
  results.push([name, ...figures, limit, p95 < limit ? 'yes' : 'no'])
}
const tables = await selectRows<{ table: string; rows: number; bytes: number; parts: number }>(
  clickhouse,
  `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts
    WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table`,
)
const sizes = tables.map(({ table, rows: stored, bytes, parts }): Row => [
  table,
  round(stored, 0),
  round(bytes / mib, 0),
  parts,
])
const text = [
  `${rows.toLocaleString('en')} rows, 1,000 accounts, one of them with every fifth row:`,
  markdownTable(['Query', 'p50 ms', 'p95 ms', 'CPU ms', 'goal, p95 ms', 'met'], results),
  markdownTable(['Table', 'rows', 'MiB', 'parts'], sizes),
  `${machineLine()}.`,
].join('\n\n')
console.log(`\n${text}\n`)
if (values.write) console.log(await writeReadme('analytics', text))
await clickhouse.close()
if (!values['data-dir']) await rm(dataDir, { recursive: true, force: true })

async function fill(): Promise<void> {
  const [state] = await selectRows<{ stored: number }>(clickhouse, 'SELECT count() AS stored FROM request_logs')
  if (Number(state?.stored) >= rows) return
  const startedAt = performance.now()
  await seedRequestLogs(clickhouse, {
    rows: rows - Number(state?.stored),
    until: Date.now(),
    days: 90,
    accounts: 999,
    account,
    tokens: Array.from({ length: 5 }, () => uuidv7()),
    keys: Array.from({ length: 3 }, () => uuidv7()),
    onProgress: (done) => process.stderr.write(`\r${done.toLocaleString('en')} rows seeded`),
  })
  process.stderr.write(` in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`)
}

/** Seeding goes faster than merging: what is measured is the store as it lies after that, as days of operation leave it. */
async function settle(): Promise<void> {
  const rollups = await selectRows<{ name: string }>(
    clickhouse,
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'AggregatingMergeTree'",
  )
  for (const { name } of rollups)
    await clickhouse.command({ query: `OPTIMIZE TABLE ${name} FINAL SETTINGS optimize_skip_merged_partitions = 1` })
  const running = async () => (await selectRows(clickhouse, 'SELECT 1 FROM system.merges LIMIT 1')).length > 0
  while (await running()) await sleep(500)
}
