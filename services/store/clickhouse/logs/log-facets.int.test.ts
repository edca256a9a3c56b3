import { setImmediate as nextTurn } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test, vi } from 'vitest'
import { createTestClickHouse } from '#tools/test/stores.ts'
import { day, minute } from '#core/units.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { RequestLogQuery } from '#schemas/request-logs.ts'
import { createLogHistogramStore } from './log-histogram.ts'
import { createLogValuesStore } from './log-values.ts'
import { requestEvent } from './request-event.fixture.ts'
import { createRequestLogStore } from './request-logs.ts'
import { storeEvents } from './stored-logs.fixture.ts'

const { clickhouse, drop } = await createTestClickHouse()
afterAll(drop)
const now = Date.now()
const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90, now: () => now })
const histogram = createLogHistogramStore(clickhouse, { find: logs.find, now: () => now })
const values = createLogValuesStore(clickhouse, logs)

const accountId = uuidv7()
const [token, key] = [uuidv7(), uuidv7()]
const events = Array.from({ length: 400 }, (_, index) => {
  const at = now - Math.floor((index / 400) * 12 * day) - 1_000
  const event = requestEvent({
    id: uuidv7({ msecs: at }),
    accountId,
    status: [200, 200, 429, 500, 0][index % 5]!,
    outcome: index % 5 === 4 ? 'client_aborted' : 'completed',
    model: ['gpt-4o', 'o3', null][index % 3]!,
    endpoint: index % 5 < 2 ? '/v1/embeddings' : '/v1/chat/completions',
    tokenId: index % 4 === 0 ? null : token,
    apiKeyId: index % 5 === 4 ? null : key,
    errorCode: index % 5 === 2 ? 'rate_limit_exceeded' : null,
    cacheStatus: index % 2 === 0 ? 'hit' : null,
    responseTimeMs: (index * 7_919) % 4_001,
    promptTokens: index % 6 === 0 ? null : (index * 31) % 97,
    completionTokens: index % 6 === 0 ? null : 10,
    costNanoUsd: index % 7 === 0 ? null : (index * 13) % 1_009,
    tags: index % 2 === 0 ? { customer: ['acme', 'initech'][(index / 2) % 2]! } : {},
    errorMessage: index === 399 ? 'the oldest quotation' : 'quotas',
    requestCount: index % 50 === 0 ? 3 : 1,
  })
  return { ...event, at }
})
type Event = (typeof events)[number]
// Of another account, before all of its own.
await storeEvents(clickhouse, [...events, requestEvent({ accountId: uuidv7(), id: uuidv7({ msecs: now - 20 * day }) })])

const query = (filters: Record<string, unknown>) => RequestLogQuery.parse(filters)
const requests = (list: readonly Event[]) => list.reduce((sum, { requestCount }) => sum + requestCount, 0)
const isError = ({ status }: RequestEvent) => status === 0 || status >= 400
const from = new Date(now - 7 * day + 123).toISOString()
const to = new Date(now - 50 * minute).toISOString()

test.each<[string, Record<string, unknown>, string, (event: Event) => boolean]>([
  ['everything', {}, 'UTC', () => true],
  ['a range of any milliseconds', { from, to }, 'Asia/Kathmandu', () => true],
  ['a model, which rollups have', { from, to, model: 'o3' }, 'America/New_York', ({ model }) => model === 'o3'],
  [
    'an outcome, which only rows have',
    { from, to, outcome: 'completed' },
    'UTC',
    ({ outcome }) => outcome === 'completed',
  ],
  ['the last 30 days', { timeRange: '30d' }, 'UTC', () => true],
  ['an hour by seconds', { from: new Date(now - 61 * minute).toISOString(), to }, 'UTC', () => true],
])('the histogram counts %s', async (_name, filters, timezone, isMatch) => {
  const result = await histogram.read(accountId, query(filters), timezone)
  const [begin, end] = [Date.parse(result.from), Date.parse(result.to)]
  if (filters.from) expect([result.from, result.to]).toEqual([filters.from, filters.to])
  else if (filters.timeRange) expect([begin, end]).toEqual([now - 30 * day, now])
  else expect(begin).toBe(Math.floor(events.at(-1)!.at / (15 * minute)) * 15 * minute)
  const matching = events.filter((event) => event.at >= begin && event.at < end && isMatch(event))
  const starts = result.steps.map(({ at }) => Date.parse(at))
  expect(starts.length).toBeLessThanOrEqual(120)
  expect(starts[0]).toBe(begin)
  const expected = result.steps.map(({ at }, index) => {
    const within = matching.filter((event) => event.at >= starts[index]! && event.at < (starts[index + 1] ?? end))
    return { at, requests: requests(within), errors: requests(within.filter(isError)) }
  })
  expect(result.steps).toEqual(expected)
})

const fields = [
  'model',
  'statusCode',
  'endpoint',
  'token',
  'key',
  'outcome',
  'errorCode',
  'cache',
  'tag',
  'tag:customer',
] as const
const valuesOf: Record<(typeof fields)[number], (event: Event) => string[]> = {
  model: ({ model }) => [model ?? ''],
  statusCode: ({ status }) => [String(status)],
  endpoint: ({ endpoint }) => [endpoint],
  token: ({ tokenId }) => [tokenId ?? 'none'],
  key: ({ apiKeyId }) => [apiKeyId ?? 'none'],
  outcome: ({ outcome }) => [outcome],
  errorCode: ({ errorCode }) => [errorCode ?? ''],
  cache: ({ cacheStatus }) => [cacheStatus ?? 'none'],
  tag: ({ tags }) => Object.keys(tags),
  'tag:customer': ({ tags }) => [tags.customer ?? ''],
}

test.each<[string, Record<string, unknown>, Partial<Record<(typeof fields)[number], (event: Event) => boolean>>]>([
  ['without filters', { from, to }, {}],
  ['of two models', { from, to, model: 'o3,' }, { model: ({ model }) => model !== 'gpt-4o' }],
  [
    'of all customers but one, and an outcome',
    { from, to, tag: 'customer:acme', not: 'tag:customer', outcome: 'completed' },
    { 'tag:customer': ({ tags }) => tags.customer !== 'acme', outcome: ({ outcome }) => outcome === 'completed' },
  ],
  [
    'of parts of words',
    { from, to, search: 'uot', searchMode: 'parts', token },
    { token: ({ tokenId }) => tokenId === token },
  ],
])('values are counted %s, each field without its own filter', async (_name, filters, matches) => {
  const result = await values.read(accountId, query(filters), fields)
  const inRange = events.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to))
  for (const { field, values: found, others } of result) {
    const filtersOfOthers = Object.entries(matches).filter(([name]) => name !== field)
    const matching = inRange.filter((event) => filtersOfOthers.every(([, isMatch]) => isMatch(event)))
    const counts = new Map<string, number>()
    for (const event of matching)
      for (const value of valuesOf[field as (typeof fields)[number]](event))
        counts.set(value, (counts.get(value) ?? 0) + event.requestCount)
    expect([field, Object.fromEntries(found.map((each) => [each.value, each.requests]))]).toEqual([
      field,
      Object.fromEntries(counts),
    ])
    expect(found.map((each) => each.requests)).toEqual([...counts.values()].toSorted((a, b) => b - a))
    expect(others).toEqual({ values: 0, requests: 0 })
  }
  expect(result.map(({ field }) => field)).toEqual(fields)
})

test('values beyond the most frequent are counted together', async () => {
  const other = uuidv7()
  const many = Array.from({ length: 60 }, (_, at) => requestEvent({ accountId: other, model: `model-${at}` }))
  await storeEvents(clickhouse, many)
  const [models] = await values.read(other, query({}), ['model'])
  expect(models!.values).toHaveLength(50)
  expect(models!.others).toEqual({ values: 10, requests: 10 })
})

test('of a tag with very many values some are counted, but all of its requests', async () => {
  const other = uuidv7()
  const bounded = createLogValuesStore(clickhouse, { ...logs, countedValues: 10 })
  // The limit applies after each block of rows, and rows of different weeks are never in the same one.
  const many = Array.from({ length: 60 }, (_, at) =>
    requestEvent({ accountId: other, id: uuidv7({ msecs: now - (at % 3) * 8 * day }), tags: { request: `id-${at}` } }),
  )
  await storeEvents(clickhouse, many)
  const [found] = await bounded.read(other, query({}), ['tag:request'])
  expect(found!.values).toHaveLength(20)
  expect(found!.others).toEqual({ values: 0, requests: 40 })
})

test.each<[string, (event: Event) => number | null]>([
  ['responseTime', ({ responseTimeMs }) => responseTimeMs],
  ['tokens', ({ promptTokens, completionTokens }) => promptTokens && promptTokens + (completionTokens ?? 0)],
  ['cost', ({ costNanoUsd }) => costNanoUsd],
])('sorted by %s, in both directions, with what is not known last', async (sort, valueOf) => {
  for (const order of ['desc', 'asc'] as const) {
    const sign = order === 'desc' ? -1 : 1
    const expected = events.toSorted((one, other) => {
      const [a, b] = [valueOf(one), valueOf(other)]
      if (a === b) return other.at - one.at
      return a === null ? 1 : b === null ? -1 : sign * (a - b)
    })
    const pages = await Promise.all(
      [0, 200].map((offset) => logs.list(accountId, query({ sort, order, offset, limit: 200 }))),
    )
    expect(pages.flat().map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  }
})

test('parts of words are found in the newest logs, and words in all of them', async () => {
  const other = uuidv7()
  const eventAt = (days: number, responseBody: string) =>
    requestEvent({ accountId: other, id: uuidv7({ msecs: now - days * day }), responseBody })
  const [newest, oldest] = [eventAt(0, 'hello quotation'), eventAt(10, 'bye quotation')]
  await storeEvents(clickhouse, [newest, oldest])
  const near = createRequestLogStore(clickhouse, { logRetentionDays: 90, partsBytes: 1 })
  const search = async (text: string, order = 'desc') => {
    const page = query({ search: text, searchMode: 'parts', order })
    const listed = await near.list(other, page)
    expect((await near.count(other, page)).total).toBe(listed.length)
    return listed.map(({ id }) => id)
  }
  const { partsFrom } = await near.find(other, query({ search: 'quo', searchMode: 'parts' }))
  expect(now - partsFrom!).toBeLessThan(2 * day)
  for (const parts of ['uot', 'uot ell']) expect(await search(parts)).toEqual([newest.id])
  expect(await search('quotation')).toEqual([newest.id, oldest.id])
  expect(await search('quotation', 'asc')).toEqual([oldest.id, newest.id])
  // The logs of the other accounts have more text than that.
  const whole = await createRequestLogStore(clickhouse, { logRetentionDays: 90, partsBytes: 5_000 }).find(
    other,
    query({ search: 'quo', searchMode: 'parts' }),
  )
  expect(whole.partsFrom).toBeUndefined()
  expect(await logs.list(other, query({ search: 'uot', searchMode: 'parts' }))).toHaveLength(2)
})

test('a list of filtered fields is counted by few queries at once', async () => {
  let [running, most] = [0, 0]
  const sent = vi.spyOn(clickhouse, 'query').mockImplementation(async () => {
    most = Math.max(most, (running += 1))
    await nextTurn()
    running -= 1
    throw new Error('counted')
  })
  const models = Array.from({ length: 20 }, () => 'model' as const)
  await values.read(accountId, query({ model: 'a' }), models).catch(() => undefined)
  sent.mockRestore()
  expect(most).toBe(4)
})
