/**
 * Measures the figures of plan.ts that no benchmark reports: `node deploy/tools/scaling/measure.ts [views]`: CPU time
 * of worker and ClickHouse per event, with chDB in this process, and the size of a stored log. A run that names a view,
 * such as `usage_day_feed`, omits it; the difference is the view's cost.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { RequestEvent } from '#schemas/request-event.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { toRows } from '#store/clickhouse/logs/request-log-rows.ts'
import { createRequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { eventLine } from './sample-event.ts'

const groups = 10
const eventsPerGroup = 25_000
const smallInserts = 40
const eventsPerSmallInsert = 50
const rowsOf = (events: number) =>
  toRows(Array.from({ length: events }, () => RequestEvent.parse(JSON.parse(eventLine()))))
const microseconds = ({ user, system }: NodeJS.CpuUsage) => user + system

const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-measure-'))
const clickhouse = await openClickHouse({ clickhouseUrl: undefined, dataDir })
try {
  await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
  for (const view of process.argv.slice(2)) await clickhouse.command({ query: `DROP VIEW ${view}` })
  const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90 })
  let readUs = 0
  let insertUs = 0
  const small = Array.from({ length: smallInserts }, () => rowsOf(eventsPerSmallInsert))
  await logs.insert([rowsOf(eventsPerSmallInsert)], uuidv7())
  const smallStart = process.cpuUsage()
  for (const rows of small) await logs.insert([rows], uuidv7())
  const smallInsertUs = microseconds(process.cpuUsage(smallStart)) / smallInserts
  for (let group = 0; group < groups; group += 1) {
    const lines = Array.from({ length: eventsPerGroup }, eventLine)
    const start = process.cpuUsage()
    const rows = toRows(lines.map((line) => RequestEvent.parse(JSON.parse(line))))
    readUs += microseconds(process.cpuUsage(start))
    const inserting = process.cpuUsage()
    await logs.insert([rows], uuidv7())
    insertUs += microseconds(process.cpuUsage(inserting))
  }
  const mergeStart = process.cpuUsage()
  for (const table of ['request_logs', 'request_details'])
    await clickhouse.command({ query: `OPTIMIZE TABLE ${table} FINAL` })
  insertUs += microseconds(process.cpuUsage(mergeStart))
  const parts = await selectRows<{ table: string; bytes: number }>(
    clickhouse,
    `SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts
      WHERE active AND database = currentDatabase() GROUP BY table`,
  )
  const each = (value: number) => Math.round((value / (groups * eventsPerGroup)) * 10) / 10
  console.log({
    readMicroseconds: each(readUs),
    insertAndMergeMicroseconds: each(insertUs),
    smallInsertMicroseconds: Math.round(smallInsertUs),
    bytesPerEvent: Object.fromEntries(parts.map(({ table, bytes }) => [table, each(bytes)])),
  })
} finally {
  await clickhouse.close()
  await rm(dataDir, { recursive: true, force: true })
}
