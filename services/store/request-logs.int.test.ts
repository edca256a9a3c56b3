import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClickHouseClient, openClickHouse } from '#core/resources.ts'
import { migrateClickHouse } from './migrations.ts'
import { requestEvent } from './request-event.fixture.ts'
import { createRequestLogStore, type RequestLogStore } from './request-logs.ts'
import { createUsageStore, type UsageStore } from './usage.ts'

const accountId = requestEvent().accountId
let dataDir: string
let clickhouse: ClickHouseClient
let logs: RequestLogStore
let usage: UsageStore

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sallyport-logs-'))
  clickhouse = await openClickHouse({ dataDir, clickhouseUrl: undefined })
  await migrateClickHouse(clickhouse, pino({ level: 'silent' }))
  logs = createRequestLogStore(clickhouse)
  usage = createUsageStore(clickhouse)
})

afterAll(async () => {
  await clickhouse.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('a stored event can be listed, opened and counted', async () => {
  const fine = requestEvent({ responseTimeMs: 100 })
  const refused = requestEvent({
    status: 429,
    responseTimeMs: 300,
    costNanoUsd: null,
    costSource: 'unknown',
    timeToFirstByteMs: null,
    errorMessage: 'Rate limited',
    requestBody: '{"model":"gpt-4o"}',
  })
  await logs.insert([fine, refused], 'group-1')

  const listed = await logs.list(accountId, { limit: 20, offset: 0 })
  expect(listed.map((log) => log.id)).toEqual([refused.id, fine.id])
  expect(listed[1]).toMatchObject({ responseStatus: 200, responseTime: 100, costNanoUsd: 370_000, errorMessage: null })
  expect(listed[0]).toMatchObject({ responseStatus: 429, costNanoUsd: null, timeToFirstByte: null })

  const opened = await logs.get(accountId, refused.id)
  expect(opened).toMatchObject({ id: refused.id, requestBody: '{"model":"gpt-4o"}', responseBody: null })
  expect(opened?.requestHeaders).toEqual({ 'content-type': 'application/json' })
  expect(await usage.stats(accountId)).toEqual({ totalRequests: 2, successRate: 50, avgResponseTime: 200 })
  const byKey = await usage.byCredential(accountId, 'api_key_id')
  expect(byKey.get(fine.apiKeyId!)?.usageCount).toBe(2)
})

test('the same group inserted again changes neither rows nor rollups', async () => {
  const events = [requestEvent({ accountId: '0199a000-0000-7000-8000-00000000000a' })]
  const other = events[0]!.accountId
  for (let time = 0; time < 3; time += 1) await logs.insert(events, 'group-2')
  expect(await logs.list(other, { limit: 20, offset: 0 })).toHaveLength(1)
  expect((await usage.stats(other)).totalRequests).toBe(1)
  expect(await logs.count(other)).toBe(1)
})

test('another account sees nothing of it', async () => {
  const [log] = await logs.list(accountId, { limit: 1, offset: 0 })
  const stranger = '0199a000-0000-7000-8000-0000000000ff'
  expect(await logs.get(stranger, log!.id)).toBeUndefined()
  expect(await logs.list(stranger, { limit: 20, offset: 0 })).toEqual([])
  expect(await usage.stats(stranger)).toEqual({ totalRequests: 0, successRate: 0, avgResponseTime: 0 })
})

test('text that a client chose comes back as it was', async () => {
  const hostile = `'; DROP TABLE request_logs; -- \\ \u202e <script>"\n\t`
  const event = requestEvent({ userAgent: hostile, errorMessage: hostile, responseHeaders: { 'x-note': hostile } })
  await logs.insert([event], 'group-3')
  expect(await logs.get(accountId, event.id)).toMatchObject({
    userAgent: hostile,
    errorMessage: hostile,
    responseHeaders: { 'x-note': hostile },
  })
})
