/**
 * Measures on this machine what plan.ts counts with and no benchmark tells: `node deploy/tools/scaling/measure.ts`.
 * CPU of worker and ClickHouse together for an event, with chDB in this process, and the bytes that a log takes.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { openClickHouse } from '#core/resources.ts'
import { RequestEvent } from '#schemas/request-event.ts'
import { migrateClickHouse } from '#store/migrations.ts'
import { toRows } from '#store/clickhouse/request-log-rows.ts'
import { createRequestLogStore } from '#store/clickhouse/request-logs.ts'
import { eventLine } from './sample-event.ts'

const groups = 10
const eventsPerGroup = 25_000

const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-measure-'))
const clickhouse = await openClickHouse({ clickhouseUrl: undefined, dataDir })
try {
  await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
  const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90 })
  let readUs = 0
  let insertUs = 0
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
  const parts = await clickhouse.query({
    query: `SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts
      WHERE active AND database = currentDatabase() GROUP BY table`,
    format: 'JSONEachRow',
  })
  const bytes = (await parts.json<{ table: string; bytes: number }>()).map((row) => [
    row.table,
    Math.round((row.bytes / (groups * eventsPerGroup)) * 10) / 10,
  ])
  const each = (value: number) => Math.round((value / (groups * eventsPerGroup)) * 10) / 10
  console.log({
    readMicroseconds: each(readUs),
    insertAndMergeMicroseconds: each(insertUs),
    bytesPerEvent: Object.fromEntries(bytes),
  })
} finally {
  await clickhouse.close()
  await rm(dataDir, { recursive: true, force: true })
}

function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}
