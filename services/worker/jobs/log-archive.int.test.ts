import { readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { listenLocally } from '#tools/process/listen.ts'
import { createTestClickHouse, createTestDatabase } from '#tools/test/stores.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { dayOf } from '#core/period.ts'
import { day, hour } from '#core/units.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { createLogArchive } from '#store/clickhouse/logs/log-archive.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { applyRetention, defaultRetention } from '#store/clickhouse/retention.ts'
import { createArchivedDayStore } from '#store/postgres/archived-days.ts'
import { logArchiveJob } from './log-archive.ts'

const database = await createTestDatabase()
const { clickhouse, drop } = await createTestClickHouse()
const folder = temporaryFolder(afterAll)
afterAll(async () => {
  await drop()
  await database.drop()
})

const now = Date.now()
const logRetentionDays = 30
const { sql } = database
await applyRetention(clickhouse, { ...defaultRetention, logRetentionDays }, pino({ level: 'silent' }))
beforeEach(async () => {
  await sql`truncate archived_days`
  await clickhouse.command({ query: 'TRUNCATE TABLE request_logs' })
})

const archivedDays = createArchivedDayStore(sql)
const jobWith = (url: string) =>
  logArchiveJob({
    open: async () => ({ archive: createLogArchive(clickhouse, url), close: async () => undefined }),
    archivedDays,
    logRetentionDays,
    now: () => now,
  })

const dayBefore = (days: number) => dayOf(now - days * day)
const fileOf = (date: string) => `request_logs-${date}.parquet`

/** Logs of a day: at its beginning, and at the end of each later hour. */
const logsOf = (date: string, count: number) =>
  Array.from({ length: count }, (_, at) =>
    requestEvent({ id: uuidv7({ msecs: Date.parse(date) + (at && (at + 1) * hour - 1) }), requestCount: 2 }),
  )

test('each day is a Parquet file the day before it expires, also one that was missed; none is written again', async () => {
  const [missed, due, kept] = [dayBefore(30), dayBefore(29), dayBefore(28)]
  const ofDue = logsOf(due, 24)
  await storeEvents(clickhouse, [...logsOf(missed, 24), ...ofDue, ...logsOf(kept, 24)])
  await jobWith(pathToFileURL(folder).href).run()
  expect((await readdir(folder)).toSorted()).toEqual([fileOf(missed), fileOf(due)])
  expect(await archivedDays.list()).toEqual(new Set([missed, due]))

  const file = join(folder, fileOf(due))
  const rows = await selectRows<{ id: string; model: string }>(
    clickhouse,
    `SELECT toString(id) AS id, model FROM file('${file}', 'Parquet') ORDER BY created_at`,
  )
  expect(rows).toEqual(ofDue.map(({ id, model }) => ({ id, model })))

  await rm(file)
  await jobWith(pathToFileURL(folder).href).run()
  expect(await readdir(folder)).toEqual([fileOf(missed)])
})

test('a complete file is not replaced after a restore of Postgres, when some of its logs have expired', async () => {
  const due = dayBefore(29)
  const ofDue = logsOf(due, 24)
  const job = jobWith(pathToFileURL(folder).href)
  await storeEvents(clickhouse, ofDue)
  await job.run()
  await sql`truncate archived_days`
  await clickhouse.command({ query: 'TRUNCATE TABLE request_logs' })
  await storeEvents(clickhouse, ofDue.slice(4))
  await job.run()
  const query = `SELECT count() AS rows FROM file('${join(folder, fileOf(due))}', 'Parquet')`
  expect(await selectRows(clickhouse, query)).toEqual([{ rows: 24 }])
})

test('a bucket gets the file from ClickHouse, signed with the key of the address', async () => {
  const puts: { url: string | undefined; authorization: string | undefined; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (request.method === 'PUT') puts.push({ url: request.url, authorization: request.headers.authorization, body })
    response.writeHead(request.method === 'PUT' ? 200 : 404, { etag: '"1"' }).end()
  })
  const port = await listenLocally(server)
  await storeEvents(clickhouse, logsOf(dayBefore(29), 3))
  await jobWith(`http://key:s%2Fecret@127.0.0.1:${port}/logs/sallyport`).run()
  server.close()
  expect(puts).toHaveLength(1)
  const [{ url, authorization, body }] = puts as [(typeof puts)[0]]
  expect(url).toBe(`/logs/sallyport/${fileOf(dayBefore(29))}`)
  expect(authorization).toContain('Credential=key/')
  expect(body.subarray(0, 4).toString()).toBe('PAR1')
})
