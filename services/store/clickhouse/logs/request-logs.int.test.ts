import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { createTestClickHouse } from '#tools/test/stores.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { previousSecret, previousSecretTag } from '#schemas/tags.ts'
import { RequestLogQuery } from '#schemas/request-logs.ts'
import { selectRows } from '../clickhouse-rows.ts'
import { requestEvent } from './request-event.fixture.ts'
import { day } from '#core/units.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import { toRows } from './request-log-rows.ts'
import { createRequestLogStore } from './request-logs.ts'
import { createUsageStore } from '../usage.ts'

const { clickhouse, drop } = await createTestClickHouse()
const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90 })
const usage = createUsageStore(clickhouse, { logRetentionDays: 90 })
afterAll(drop)

const page = (query: Record<string, unknown> = {}) => RequestLogQuery.parse(query)
const insert = (events: RequestEvent[], token: string = uuidv7()) => logs.insert([toRows(events)], token)
const idAt = (time: number) => uuidv7({ msecs: time })

test('a stored event can be listed, opened and counted', async () => {
  const accountId = uuidv7()
  const successful = requestEvent({ accountId, responseTimeMs: 100 })
  const failed = requestEvent({
    accountId,
    status: 429,
    responseTimeMs: 300,
    costNanoUsd: null,
    costSource: 'unknown',
    timeToFirstByteMs: null,
    errorMessage: 'Rate limited',
    requestBody: '{"model":"gpt-4o"}',
    responses: [{ endedAfterMs: 90, model: 'gpt-4o', status: 'completed', promptTokens: 12, completionTokens: null }],
  })
  await insert([successful, failed])

  const listed = await logs.list(accountId, page())
  expect(listed.map((log) => log.id)).toEqual([failed.id, successful.id])
  expect(listed[1]).toMatchObject({
    createdAt: new Date(uuidTimeMs(successful.id)).toISOString(),
    responseStatus: 200,
    responseTime: 100,
    costNanoUsd: 370_000,
    errorMessage: null,
  })
  expect(listed[0]).toMatchObject({ responseStatus: 429, costNanoUsd: null, timeToFirstByte: null })

  const opened = await logs.get(accountId, failed.id)
  const { id, attemptLog, responses } = failed
  const stored = { id, attemptLog, responses, providerRequestId: 'req_fixture', requestBody: '{"model":"gpt-4o"}' }
  expect(opened).toMatchObject({
    ...stored,
    responseBody: null,
    requestHeaders: { 'content-type': 'application/json' },
  })
  expect(await usage.stats(accountId)).toMatchObject({ totalRequests: 2, successRate: 50, avgResponseTime: 200 })
  const byKey = await usage.byCredential(accountId, 'api_key_id')
  expect(byKey.get(successful.apiKeyId!)?.usageCount).toBe(2)
})

const tables = ['usage_minute', 'usage_quarter_hour', 'usage_day', 'usage_series', 'latency_minute', 'latency_day']

/** Requests of an account in each table. */
async function counts(accountId: string): Promise<number[]> {
  const rollups = tables.map((table) => {
    const one = table.startsWith('latency') ? "AND dimension = 'model'" : ''
    return `(SELECT sum(requests) FROM ${table} WHERE account_id = {accountId: UUID} ${one}) AS ${table}`
  })
  const rows = '(SELECT count() FROM request_logs WHERE account_id = {accountId: UUID}) AS rows'
  const details = '(SELECT count() FROM request_details WHERE account_id = {accountId: UUID}) AS details'
  const query = `SELECT ${[rows, details, ...rollups].join(', ')}`
  const [row] = await selectRows<Record<string, number>>(clickhouse, query, { accountId })
  return Object.values(row!).map(Number)
}

test('the same group inserted again, in turn and concurrently, changes neither rows nor rollups', async () => {
  const accountId = uuidv7()
  const groups = Array.from({ length: 2 }, () => Array.from({ length: 50 }, () => requestEvent({ accountId })))
  const repeated = [...groups.entries(), ...groups.entries(), ...groups.entries()]
  const insertGroup = ([at, events]: [number, RequestEvent[]]) => insert(events, `again-${accountId}-${at}`)
  // Retries like a worker.
  await Promise.all(repeated.map((group) => insertGroup(group).catch(() => insertGroup(group))))
  for (const group of groups.entries()) await insertGroup(group)
  expect(await counts(accountId)).toEqual(Array(8).fill(100))
})

test('the deduplication token of one insert does not affect another one', async () => {
  const accountId = uuidv7()
  await insert([requestEvent({ accountId })], `first-${accountId}`)
  await clickhouse.command({
    query: 'INSERT INTO deleted_accounts (account_id) SELECT {id: UUID}',
    query_params: { id: uuidv7() },
  })
  await insert([requestEvent({ accountId })], `second-${accountId}`)
  expect(await counts(accountId)).toEqual(Array(8).fill(2))
})

test('values beyond the range of a column are capped, so that the group is stored', async () => {
  const event = requestEvent({
    accountId: uuidv7(),
    responseTimeMs: Number.MAX_SAFE_INTEGER,
    promptTokens: 2 ** 40,
    attempts: 1_000,
    costNanoUsd: Number.MAX_SAFE_INTEGER,
    status: 999,
    model: 'm'.repeat(5_000),
  })
  await insert([event])
  const [log] = await logs.list(event.accountId, page())
  expect(log).toMatchObject({ responseTime: 4_294_967_295, promptTokens: 4_294_967_295, attempts: 255 })
})

test('any text of a client is stored as it is, wherever it is cut', async () => {
  const accountId = uuidv7()
  const halves = ['\ud83d', '\ude00']
  const unit = fc.constantFrom('x', 'é', '😀', '"', '\\', '\n', '\0', '\uffff', ...halves)
  const hostile = fc.string({ unit, maxLength: 12 })
  // Lengths at which a column is truncated.
  const long = fc.tuple(fc.constantFrom(0, 128, 2_048, 4_096, 16_384), fc.integer({ min: 1, max: 12 }), hostile)
  const text = long.map(([length, before, end]) => `${'x'.repeat(Math.max(0, length - before))}${end}`)
  const hostileEvent = fc
    .record({ endpoint: text, model: text, errorMessage: text, userAgent: text, requestBody: text, responseBody: text })
    .map((changes) => requestEvent({ accountId, requestHeaders: { 'x-note': changes.model }, ...changes }))
  await fc.assert(
    // Few inserts of many events, because an insert takes more time than a read.
    fc.asyncProperty(fc.array(hostileEvent, { minLength: 40, maxLength: 60 }), async (events) => {
      await insert(events)
      for (const { id, requestBody, requestHeaders } of events.slice(0, 8)) {
        const stored = { requestBody: requestBody!.toWellFormed(), requestHeaders }
        expect(await logs.get(accountId, id)).toMatchObject(stored)
      }
    }),
    { numRuns: 3 },
  )
  const hostileText = `'; DROP TABLE request_logs; -- \\ \u202e <script>"\n\t`
  const chosen = { userAgent: hostileText, errorMessage: hostileText, responseHeaders: { 'x-note': hostileText } }
  const event = requestEvent({ accountId, ...chosen })
  await insert([event])
  expect(await logs.get(accountId, event.id)).toMatchObject(chosen)
})

test('headers are shown as they were meant, in UTF-8 or Latin-1', async () => {
  const [utf8, latin1] = ['grüße 日本.pdf', 'grün']
  const received = Buffer.from(utf8).toString('latin1')
  const event = requestEvent({
    accountId: uuidv7(),
    userAgent: received,
    requestHeaders: { 'x-note': received, 'x-other': latin1 },
    responseHeaders: { 'content-disposition': `attachment; filename="${received}"` },
  })
  await insert([event])
  expect(await logs.get(event.accountId, event.id)).toMatchObject({
    userAgent: utf8,
    requestHeaders: { 'x-note': utf8, 'x-other': latin1 },
    responseHeaders: { 'content-disposition': `attachment; filename="${utf8}"` },
  })
})

test('pages by cursor and by offset show every log once, in both orders', async () => {
  const accountId = uuidv7()
  const now = Date.now()
  // Several events share a millisecond, so their ids decide the order.
  const events = Array.from({ length: 57 }, (_, at) => requestEvent({ accountId, id: idAt(now - Math.floor(at / 10)) }))
  await insert(events)
  for (const order of ['desc', 'asc'] as const) {
    const byCursor: string[] = []
    for (let cursor: string | undefined; ;) {
      const rows = await logs.list(accountId, page({ limit: 10, cursor, order }))
      byCursor.push(...rows.map(({ id }) => id))
      cursor = rows.at(-1)?.id
      if (rows.length < 10) break
    }
    const byOffset = await Promise.all(
      [0, 20, 40].map((offset) => logs.list(accountId, page({ limit: 20, offset, order }))),
    )
    expect(byCursor.toSorted()).toEqual(events.map(({ id }) => id).toSorted())
    expect(byOffset.flat().map(({ id }) => id)).toEqual(byCursor)
  }
})

test('every filter finds what it names, and the count agrees with the list', async () => {
  const accountId = uuidv7()
  const [token, key] = [uuidv7(), uuidv7()]
  const now = Date.now()
  const tags = { customer: 'acme', feature: 'chat' }
  const attempts = [key, token].map((apiKeyId) => ({ apiKeyId, startedAfterMs: 0, durationMs: 1, result: '500' }))
  const failedOver = { attempts: 2, attemptLog: attempts }
  const events = [
    requestEvent({ accountId, status: 200, tokenId: token, cacheStatus: 'hit', tags }),
    requestEvent({ accountId, status: 404, method: 'GET', endpoint: '/v1/models', model: null, responseTimeMs: 5 }),
    requestEvent({ accountId, status: 500, apiKeyId: key, model: 'o3', responseTimeMs: 9_000, ...failedOver }),
    requestEvent({ accountId, status: 0, tokenId: null, apiKeyId: null, outcome: 'client_aborted', costNanoUsd: null }),
    requestEvent({ accountId, status: 302, id: idAt(now - 3 * day), endpoint: '/v1/files/file-abc123/content' }),
  ]
  await insert(events)
  const cases: [Record<string, string | string[]>, number[]][] = [
    [{}, [0, 1, 2, 3, 4]],
    [{ status: 'success' }, [0]],
    [{ status: 'error' }, [1, 2]],
    [{ status: '4xx' }, [1]],
    [{ status: '302' }, [4]],
    [{ statusCode: '404,500' }, [1, 2]],
    [{ method: 'GET' }, [1]],
    [{ model: 'o3' }, [2]],
    [{ model: '' }, [1]],
    [{ model: 'o3', not: 'model' }, [0, 1, 3, 4]],
    [{ status: 'failed' }, [1, 2, 3]],
    [{ endpoint: '/v1/models' }, [1]],
    [{ endpoint: '/v1/files/{id}/content' }, [4]],
    [{ endpoint: '/v1/files/file-xyz789/content,/v1/models' }, [1, 4]],
    [{ endpoint: '/v1/chat/completions', status: 'error' }, [2]],
    [{ token }, [0]],
    [{ token: 'none' }, [3]],
    [{ key }, [2]],
    [{ key: `none,${key}` }, [2, 3]],
    [{ minResponseTime: '9000' }, [2]],
    [{ maxResponseTime: '5' }, [1]],
    [{ cache: 'none,miss', retried: 'false', failedOver: 'false', cost: 'known' }, [1, 4]],
    [{ tag: ['customer:acme', 'feature:chat'] }, [0]],
    [{ outcome: 'client_aborted,interrupted' }, [3]],
    [{ timeRange: '24h' }, [0, 1, 2, 3]],
    [{ to: new Date(now - day).toISOString() }, [4]],
    [{ from: new Date(now - 4 * day).toISOString(), to: new Date(now + 60_000).toISOString() }, [0, 1, 2, 3, 4]],
    [{ from: new Date(now - 4 * day).toISOString(), status: 'error', method: 'POST' }, [2]],
  ]
  for (const [query, expected] of cases) {
    const found = (await logs.list(accountId, page(query))).map(({ id }) => id)
    expect([query, found.toSorted()]).toEqual([query, expected.map((at) => events[at]!.id).toSorted()])
    expect([query, await logs.count(accountId, page(query))]).toEqual([
      query,
      { total: expected.length, requests: expected.length, isAtLeast: false },
    ])
  }
})

test('a filter finds what was sent with the previous secret of a token, whatever clients write', async () => {
  const accountId = uuidv7()
  const old = requestEvent({ accountId, tags: { [previousSecretTag]: previousSecret } })
  await insert([
    old,
    requestEvent({ accountId, requestBody: `previous-secret ${previousSecretTag}:${previousSecret}` }),
  ])
  const ids = async (filters: Record<string, unknown>) =>
    (await logs.list(accountId, page(filters))).map(({ id }) => id)
  expect(await ids({ tag: `${previousSecretTag}:${previousSecret}` })).toEqual([old.id])
  for (const searchMode of ['words', 'parts'])
    expect(await ids({ search: 'previous-secret', searchMode })).toContain(old.id)
})

test('hostile text in a filter is a value, never a part of the query', async () => {
  const accountId = uuidv7()
  await insert([requestEvent({ accountId })])
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom("'", '\\', "\\'", '}', '{x: String}', '\0', '--', '/*'),
  )
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const query = RequestLogQuery.safeParse({ search: text, model: text || 'x' })
      fc.pre(query.success)
      expect(await logs.list(accountId, query.data!)).toEqual([])
      // A text that the log's hexadecimal ids cannot contain by chance.
      const substring = page({ search: `${text}xyz`, searchMode: 'substring', timeRange: '1h' })
      expect(await logs.list(accountId, substring)).toEqual([])
    }),
    { numRuns: 20 },
  )
  expect((await logs.count(accountId, page())).total).toBe(1)
})

test('another account can not read a log', async () => {
  const event = requestEvent({ accountId: uuidv7() })
  await insert([event])
  const stranger = uuidv7()
  expect(await logs.get(stranger, event.id)).toBeUndefined()
  expect(await logs.list(stranger, page({ cursor: uuidv7() }))).toEqual([])
  expect(await logs.storedSince(stranger, page(), 0, 10)).toEqual([])
  expect(await usage.stats(stranger)).toMatchObject({ totalRequests: 0, successRate: 0, avgResponseTime: 0 })
  const used = async (id: string, by: 'api_key_id' | 'token_id') => [...(await usage.byCredential(id, by)).keys()]
  expect(await used(event.accountId, 'api_key_id')).toEqual([event.apiKeyId])
  expect(await used(event.accountId, 'token_id')).toEqual([event.tokenId])
  expect(await used(stranger, 'api_key_id')).toEqual([])
  expect(await logs.exists(event.id)).toBe(true)
  expect(await logs.isAnyStored([{ accountId: stranger, id: event.id }])).toBe(false)
  expect(await logs.isAnyStored([{ accountId: event.accountId, id: event.id }])).toBe(true)
})

test('expired logs are neither listed nor counted', async () => {
  const accountId = uuidv7()
  const old = requestEvent({ accountId, id: idAt(Date.now() - 100 * day) })
  await insert([old, requestEvent({ accountId })])
  expect(await logs.list(accountId, page())).toHaveLength(1)
  expect((await logs.count(accountId, page())).total).toBe(1)
})
