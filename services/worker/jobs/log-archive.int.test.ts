import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { createTestClickHouse, createTestDatabase } from '#tools/test/stores.ts'
import { day, hour } from '#core/units.ts'
import { selectRows } from '#store/clickhouse/clickhouse-rows.ts'
import { createLogArchive } from '#store/clickhouse/logs/log-archive.ts'
import { toRows } from '#store/clickhouse/logs/request-log-rows.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { createRequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { createArchivedDayStore } from '#store/postgres/archived-days.ts'
import { logArchiveJob } from './log-archive.ts'

const database = await createTestDatabase()
const { clickhouse, drop } = await createTestClickHouse()
const folder = await mkdtemp(join(tmpdir(), 'sallyport-archive-'))
afterAll(async () => {
  await drop()
  await database.drop()
  await rm(folder, { recursive: true })
})

const now = Date.parse('2026-11-23T12:00:00Z')
const logRetentionDays = 30

const archivedDays = createArchivedDayStore(database.sql)
const jobWith = (url: string) =>
  logArchiveJob({
    open: async () => ({ archive: createLogArchive(clickhouse, url), close: async () => undefined }),
    archivedDays,
    logRetentionDays,
    now: () => now,
  })

/** Logs of a day, one per hour. */
const logsOf = (start: string, count: number) =>
  Array.from({ length: count }, (_, at) => requestEvent({ id: uuidv7({ msecs: Date.parse(start) + at * hour }) }))

test('each day is a Parquet file the day before it expires, also one that was missed; none is written again', async () => {
  const [missed, due, kept] = [
    logsOf('2026-10-20T00:00:00Z', 24),
    logsOf('2026-10-24T00:00:00Z', 24),
    logsOf('2026-10-25T00:00:00Z', 24),
  ]
  const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90 })
  await logs.insert([toRows([...missed, ...due, ...kept])], uuidv7())
  await jobWith(pathToFileURL(folder).href).run()
  expect((await readdir(folder)).toSorted()).toEqual([
    'request_logs-2026-10-20.parquet',
    'request_logs-2026-10-24.parquet',
  ])
  expect(await archivedDays.list()).toEqual(new Set(['2026-10-20', '2026-10-24']))

  const file = join(folder, 'request_logs-2026-10-24.parquet')
  const rows = await selectRows<{ id: string; model: string }>(
    clickhouse,
    `SELECT toString(id) AS id, model FROM file('${file}', 'Parquet') ORDER BY created_at`,
  )
  expect(rows).toEqual(due.map(({ id, model }) => ({ id, model })))

  await rm(file)
  await jobWith(pathToFileURL(folder).href).run()
  expect(await readdir(folder)).toEqual(['request_logs-2026-10-20.parquet'])
})

test('a bucket gets the file from ClickHouse, signed with the key of the address', async () => {
  const puts: { url: string | undefined; authorization: string | undefined; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (request.method === 'PUT') puts.push({ url: request.url, authorization: request.headers.authorization, body })
    response.writeHead(request.method === 'PUT' ? 200 : 404, { etag: '"1"' }).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await createRequestLogStore(clickhouse, { logRetentionDays: 90 }).insert(
    [toRows(logsOf(new Date(now - 40 * day).toISOString().slice(0, 10), 3))],
    uuidv7(),
  )
  await jobWith(`http://key:s%2Fecret@127.0.0.1:${port}/logs/sallyport`).run()
  server.close()
  expect(puts).toHaveLength(1)
  const [{ url, authorization, body }] = puts as [(typeof puts)[0]]
  expect(url).toBe('/logs/sallyport/request_logs-2026-10-14.parquet')
  expect(authorization).toContain('Credential=key/')
  expect(body.subarray(0, 4).toString()).toBe('PAR1')
})
