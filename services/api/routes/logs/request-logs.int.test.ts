import { parquetReadObjects } from 'hyparquet'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { hour } from '#core/units.ts'
import { pipelineKeys } from '#shared/pipeline/pipeline-keys.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createOperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { password, testApi, type TestUser } from '../../test/api.fixture.ts'
import { newKey } from '../../test/account-writes.fixture.ts'

const api = await testApi()
let user: TestUser
let accountId: string
let events: RequestEvent[]

const insert = (list: RequestEvent[]) => storeEvents(api.clickhouse, list)

const newPerson = async () => {
  const each = await api.register()
  return { each, id: await each.accountId() }
}

beforeAll(async () => {
  const created = await newPerson()
  user = created.each
  accountId = created.id
  events = Array.from({ length: 50 }, (_, at) =>
    requestEvent({ accountId, status: at % 5 === 0 ? 500 : 200, errorMessage: at === 7 ? '=cmd|calc' : null }),
  )
  await insert(events)
})

const newestFirst = () => events.map(({ id }) => id).toReversed()

test('logs are listed with a total, page by page', async () => {
  const first = await user.call('GET', '/api/logs?limit=20')
  expect(first.headers).toMatchObject({ 'x-total-count': '50', 'x-next-cursor': newestFirst()[19] })
  expect(first.headers['x-available-from']).toBeDefined()
  const second = await user.call('GET', `/api/logs?limit=40&cursor=${first.headers['x-next-cursor']}`)
  expect(second.headers['x-next-cursor']).toBeUndefined()
  const ids = [...first.json(), ...second.json()].map(({ id }) => id)
  expect(ids).toEqual(newestFirst())
  const errors = await user.call('GET', '/api/logs?status=error&limit=5')
  expect(errors.headers['x-total-count']).toBe('10')
  expect(errors.json()).toHaveLength(5)
  const beyond = await user.call('GET', '/api/logs?offset=20000000000')
  expect([beyond.json(), beyond.headers['x-total-count']]).toEqual([[], '50'])
})

test('rejects invalid filters at their field', async () => {
  for (const [query, field] of [
    ['order=1;drop', 'order'],
    ['statsu=200', 'statsu'],
    ['timeRange=forever', 'timeRange'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
    ['limit=5&limit=6', 'limit'],
  ]) {
    const response = await user.call('GET', `/api/logs?${query}`)
    expect([query, response.statusCode, response.json().errors[0].field]).toEqual([query, 400, field])
  }
})

test('a log can be read by its account only, and is pending until it is stored', async () => {
  expect((await user.call('GET', `/api/logs/${events[3]!.id}`)).json()).toMatchObject({ id: events[3]!.id })
  const coming = uuidv7({ msecs: Date.now() })
  const pending = await user.call('GET', `/api/logs/${coming}`)
  expect([pending.statusCode, pending.json()]).toEqual([202, { id: coming, pending: true }])
  const old = uuidv7({ msecs: Date.now() - 3_600_000 })
  expect((await user.call('GET', `/api/logs/${old}`)).statusCode).toBe(404)
  const { each: stranger } = await newPerson()
  expect((await stranger.call('GET', `/api/logs/${events[3]!.id}`)).statusCode).toBe(404)
  expect((await stranger.call('GET', '/api/logs')).headers['x-total-count']).toBe('0')
  expect((await stranger.call('GET', '/api/logs/export?format=jsonl')).body).toBe('')
})

test('the export has matching logs, is safe in a spreadsheet, and can be resumed', async () => {
  const csv = await user.call('GET', '/api/logs/export?status=success')
  expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="request-logs-\d{4}-\d\d-\d\d\.csv"$/)
  const lines = csv.body.trimEnd().split('\r\n')
  expect(lines).toHaveLength(41)
  expect(lines[0]).toContain('"createdAt"')
  expect(csv.body).toContain(`"'=cmd|calc"`)

  const all = await user.call('GET', '/api/logs/export?format=jsonl')
  const rows = all.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ id }) => id)).toEqual(newestFirst())
  const rest = await user.call('GET', `/api/logs/export?cursor=${rows[19].id}`)
  expect(rest.body.trimEnd().split('\r\n')).toHaveLength(30)
  expect(rest.body).not.toContain('"createdAt"')
})

test('the live tail streams matching logs, and can be resumed', async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as { port: number }
  const { cookie } = user
  const open = async (headers: Record<string, string> = {}) => {
    const stopping = new AbortController()
    const url = `http://127.0.0.1:${port}/api/logs/tail?status=error`
    const response = await fetch(url, { headers: { cookie, ...headers }, signal: stopping.signal })
    let text = ''
    const reading = (async () => {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk
    })().catch(() => undefined)
    return { response, text: () => text, stop: async () => (stopping.abort(), reading) }
  }
  const tail = await open()
  expect(tail.response.headers.get('content-type')).toBe('text/event-stream')
  const [failed, fine] = [requestEvent({ accountId, status: 503 }), requestEvent({ accountId })]
  await insert([failed, fine])
  await expect.poll(tail.text).toContain(failed.id)
  expect(tail.text()).not.toContain(fine.id)
  await tail.stop()
  const lastSeen = /^id: (\d+)$/m.exec(tail.text())![1]!
  const missed = requestEvent({ accountId, status: 502 })
  await insert([missed])
  const again = await open({ 'last-event-id': lastSeen })
  await expect.poll(again.text).toContain(missed.id)
  await again.stop()
  events.push(failed, fine, missed)
})

test('stats and analytics cover the account only', async () => {
  const stats = await user.call('GET', '/api/stats')
  expect(stats.json()).toMatchObject({ totalRequests: 53 })
  expect((await user.call('GET', '/api/stats?timeRange=7')).json()).toMatchObject({ totalRequests: 53 })
  await user.call('PATCH', '/api/user/preferences', { timezone: 'Asia/Tokyo' })
  const analytics = (await user.call('GET', '/api/analytics?timeRange=30d')).json()
  expect(analytics).toMatchObject({ timezone: 'Asia/Tokyo', totals: { requests: 53, errors: 12 } })
  expect(analytics.hourly).toHaveLength(24)
  const { each: stranger } = await newPerson()
  expect((await stranger.call('GET', '/api/analytics')).json()).toMatchObject({ totals: { requests: 0 } })
  expect((await user.call('GET', '/api/analytics?timezone=Nowhere')).json().errors[0].field).toBe('timezone')
  const zone = (await user.call('GET', '/api/analytics?timezone=america/new_york')).json().timezone
  expect(zone).toBe('America/New_York')
  const filtered = (await user.call('GET', '/api/analytics?timeRange=30d&status=failed')).json()
  expect(filtered).toMatchObject({ source: 'rollups', totals: { requests: 12, errors: 12 } })
  const groups = (await user.call('GET', '/api/analytics/groups?timeRange=30d&groupBy=outcome')).json()
  const counts = groups.groups.map(({ requests }: { requests: number }) => requests)
  expect(counts.reduce((one: number, other: number) => one + other, 0)).toBe(53)
  expect((await stranger.call('GET', '/api/analytics/groups?groupBy=tag:customer')).json()).toMatchObject({
    source: 'rows',
    groups: [],
    others: null,
  })
  for (const groupBy of ['colour', 'tag:', `tag:${'k'.repeat(10_240)}`, "tag:'"])
    expect((await user.call('GET', `/api/analytics/groups?groupBy=${groupBy}`)).json().errors[0].field).toBe('groupBy')
})

const changes = async (from: string, to: string) =>
  (await user.call('GET', `/api/analytics/changes?from=${from}&to=${to}`)).json()

test('what changed in a range that has not ended is compared up to now', async () => {
  const moments = [-hour, hour, 2 * hour].map((away) => new Date(Date.now() + away).toISOString())
  const [past, future, later] = moments as [string, string, string]
  const { from, to, beforeFrom } = await changes(past, future)
  expect(from).toBe(past)
  expect(Date.parse(to)).toBeLessThanOrEqual(Date.now())
  expect(Date.parse(from) - Date.parse(beforeFrom)).toBe(Date.parse(to) - Date.parse(from))
  expect(await changes(future, later)).toMatchObject({ expected: 0 })
})

test('only operators can see the pipeline', async () => {
  expect((await user.call('GET', '/api/pipeline')).statusCode).toBe(404)
  expect((await user.call('GET', '/api/pipeline/dead-letters')).statusCode).toBe(404)
  const { each: operator, id } = await newPerson()
  await createOperatorAccountStore(api.sql, invalidateNothing).setOperator(id, true)
  expect((await operator.call('GET', '/api/user')).json()).toMatchObject({ isOperator: true })
  await api.queue.hset(pipelineKeys({ tag: '' }).accepted, uuidv7(), 60)
  const proxy = { host: 'h', pid: 1, accepted: 60, spooledEvents: 7, spooledBytes: 1, fullness: 0.1 }
  const [at, shippedUntil] = [5_000, 10_000].map((ago) => new Date(Date.now() - ago).toISOString())
  await api.queue.hset(pipelineKeys({ tag: '' }).proxies, uuidv7(), JSON.stringify({ ...proxy, at, shippedUntil }))
  const response = await operator.call('GET', `/api/pipeline?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`)
  expect(response.json()).toMatchObject({
    accepted: 60,
    stored: 53,
    spooled: 7,
    queued: 0,
    dead: 0,
    difference: 0,
    completeUntil: shippedUntil,
    range: { storedEvents: 0, isComplete: true },
  })
  expect((await operator.call('GET', '/api/pipeline/dead-letters')).json()).toEqual([])
  expect((await operator.call('POST', '/api/pipeline/dead-letters/nothing/replay')).statusCode).toBe(404)
  await expect.poll(async () => (await user.call('GET', '/api/logs')).headers['x-complete-until']).toBe(shippedUntil)
})

const rename = (someone: TestUser, username: string) =>
  someone.call('PATCH', '/api/user/profile', { firstName: 'A', lastName: 'B', email: someone.email, username })

test('row 53: neither a registration nor a new name makes an operator, and an operator stays one under any name', async () => {
  const { each: ann, id } = await newPerson()
  const operators = createOperatorAccountStore(api.sql, invalidateNothing)
  await operators.setOperator(id, true)
  expect((await rename(ann, `${ann.username}-2`)).json().isOperator).toBe(true)

  const [heir, mallory] = [api.user(), (await newPerson()).each]
  const registration = { username: ann.username, email: heir.email, password }
  expect((await heir.call('POST', '/api/register', registration)).json()).toMatchObject({ isOperator: false })
  await heir.call('DELETE', '/api/user/account')
  expect((await rename(mallory, ann.username)).json()).toMatchObject({ username: ann.username, isOperator: false })
  expect((await mallory.call('GET', '/api/pipeline')).statusCode).toBe(404)

  await operators.setOperator(id, false)
  expect((await ann.call('GET', '/api/pipeline')).statusCode).toBe(404)
})

const asJson = (row: Record<string, unknown>) =>
  JSON.parse(JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value)))

test('each format of the export has the same rows, with names, USD and tags', async () => {
  const { each: ann, id } = await newPerson()
  const key = (await ann.call('POST', '/api/keys', newKey)).json()
  const token = (await ann.call('POST', '/api/tokens', { name: '=Laptop' })).json()
  const named = { tokenId: token.id, apiKeyId: key.id, costNanoUsd: 112_500, tags: { customer: 'acme' } }
  const unnamed = { tokenId: null, apiKeyId: null, costNanoUsd: null, tags: {} }
  const [older, newer] = [named, unnamed].map((fields) => requestEvent({ accountId: id, ...fields }))
  await insert([older!, newer!])
  const read = (query: string) => ann.call('GET', `/api/logs/export?${query}`)
  const readParquet = async (query: string) => {
    const { rawPayload, headers } = await read(`format=parquet${query}`)
    expect(headers['content-type']).toBe('application/vnd.apache.parquet')
    return parquetReadObjects({ file: new Uint8Array(rawPayload).buffer })
  }

  const rows = (await read('format=jsonl')).body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows).toMatchObject([
    { ...unnamed, id: newer!.id, tokenName: null, apiKeyName: null, costUsd: null },
    { ...named, id: older!.id, tokenName: '=Laptop', apiKeyName: 'Main', costUsd: 0.0001125 },
  ])
  const parquet = (await readParquet('')).map((row) => ({ ...asJson(row), tags: JSON.parse(row['tags']) }))
  expect(parquet).toEqual(rows)
  expect(await readParquet(`&cursor=${newer!.id}`)).toMatchObject([{ id: older!.id }])
  expect(await readParquet('&limit=1')).toMatchObject([{ id: newer!.id }])

  const csv = (await read('format=csv')).body
  const [header, , last] = csv.split('\r\n')
  expect(header).toBe(
    Object.keys(rows[0])
      .map((name) => `"${name}"`)
      .join(),
  )
  expect(last).toMatch(/"{""customer"":""acme""}","Main","'=Laptop",0.0001125$/)
  expect((await read('format=csv&bom=true')).body).toBe(`\uFEFF${csv}`)
})

test('a search has pages beyond the matches that are counted', async () => {
  const { each, id } = await newPerson()
  await insert(Array.from({ length: 11_030 }, () => requestEvent({ accountId: id, errorMessage: 'overloaded' })))
  const page = (offset: number) => each.call('GET', `/api/logs?search=overloaded&limit=20&offset=${offset}`)
  const last = await page(11_020)
  expect(last.headers).toMatchObject({ 'x-total-count': '10000', 'x-total-is-at-least': 'true' })
  expect(last.json()).toHaveLength(10)
  for (const offset of [11_040, Number.MAX_SAFE_INTEGER]) expect((await page(offset)).json()).toEqual([])
})
