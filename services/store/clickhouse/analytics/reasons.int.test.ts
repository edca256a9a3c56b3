import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { createTestClickHouse } from '#tools/test/stores.ts'
import { day, hour, minute } from '#core/units.ts'
import { ChangesQuery } from '#schemas/analytics-changes.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { RequestLogFilters } from '#schemas/request-logs.ts'
import { createChangeStore } from './changes.ts'
import { selectRows } from '../clickhouse-rows.ts'
import { createErrorGroupStore } from './error-groups.ts'
import { messagePattern } from './message-pattern.ts'
import { requestEvent } from '../logs/request-event.fixture.ts'
import { storeEvents } from '../logs/stored-logs.fixture.ts'

const { clickhouse, drop } = await createTestClickHouse()
afterAll(drop)

const to = Date.now()
const from = to - hour

async function store(events: readonly (Partial<RequestEvent> & { at: number })[]): Promise<string> {
  const accountId = uuidv7()
  const rows = events.map(({ at, ...event }) => requestEvent({ ...event, id: uuidv7({ msecs: at }), accountId }))
  await storeEvents(clickhouse, rows)
  return accountId
}

test('the pattern of a message has no numbers, ids, quoted texts, addresses and keys', async () => {
  const patterns = {
    'Rate limit reached for gpt-4o in organization org-Ab1 on tokens per min (TPM): Limit 30000, Used 29,500.':
      'Rate limit reached for <…> in organization <…> on tokens per min (TPM): Limit <…>, Used <…>',
    'Incorrect API key provided: sk-proj-***a8f2. You can find your key at https://platform.openai.com/api-keys.':
      'Incorrect API key provided: <…> You can find your key at <…>',
    "The model 'my-model' does not exist or you don't have access to it":
      "The model <…> does not exist or you don't have access to it",
    'Invalid value: "high",\n "low"': 'Invalid value: <…>',
    'unexpected AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGhIj at end': 'unexpected <…> at end',
    'No answer in time': 'No answer in time',
    '': '',
  }
  const rows = await selectRows<{ pattern: string }>(
    clickhouse,
    `SELECT ${messagePattern('message')} AS pattern FROM (SELECT arrayJoin({messages: Array(String)}) AS message)`,
    { messages: Object.keys(patterns) },
  )
  expect(rows.map(({ pattern }) => pattern)).toEqual(Object.values(patterns))
})

test('errors are grouped by code and pattern, with times, intervals and what is new', async () => {
  const limited = { status: 429, errorCode: 'rate_limit_exceeded' }
  const accountId = await store([
    { at: from - 10 * minute, ...limited, errorMessage: 'Rate limit reached: try again in 2 s' },
    { at: from, ...limited, errorMessage: 'Rate limit reached: try again in 3 s', requestCount: 2 },
    { at: to - 1, ...limited, errorMessage: 'Rate limit reached: try again in 20 s' },
    { at: from + 30 * minute, ...limited, errorMessage: 'Tokens are used up' },
    { at: from + 30 * minute, status: 502, errorMessage: null },
    { at: from + 30 * minute, status: 0, errorMessage: null },
    { at: from + 30 * minute, status: 200, model: 'o3' },
    { at: to, status: 500 },
  ])
  const groups = createErrorGroupStore(clickhouse)
  const range = { from, to, availableFrom: to - day }
  const read = (filters: object = {}, changes: object = {}) =>
    groups.read(accountId, RequestLogFilters.parse(filters), { ...range, ...changes })
  const result = await read()
  expect(result).toMatchObject({ errors: 6, others: { groups: 0, errors: 0 } })
  expect(result.groups[0]).toEqual({
    errorCode: 'rate_limit_exceeded',
    status: 429,
    pattern: 'Rate limit reached: try again in <…> s',
    example: 'Rate limit reached: try again in 3 s',
    errors: 3,
    firstSeen: new Date(from - 10 * minute).toISOString(),
    lastSeen: new Date(to - 1).toISOString(),
    isNew: false,
    series: [2, ...Array.from({ length: 22 }, () => 0), 1],
  })
  expect(
    result.groups.slice(1).map(({ errorCode, status, pattern, isNew }) => [errorCode, status, pattern, isNew]),
  ).toEqual(
    expect.arrayContaining([
      ['rate_limit_exceeded', 429, 'Tokens are used up', true],
      [null, 502, '', true],
      [null, 0, '', true],
    ]),
  )
  const unknown = await read({ statusCode: '502' }, { availableFrom: from })
  expect(unknown.groups.map(({ isNew }) => isNew)).toEqual([null])
  expect(await read({ model: 'o3' })).toMatchObject({ errors: 0, groups: [] })
})

test('the 50 most frequent kinds of errors are listed, the others counted', async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const kinds = Array.from({ length: 60 }, (_, at) => `${letters[at % 26]}${letters[Math.floor(at / 26)]}`)
  const accountId = await store(
    kinds.map((kind) => ({ at: from + minute, status: 500, errorMessage: `Failed: ${kind}` })),
  )
  const range = { from, to, availableFrom: 0 }
  const read = (...limit: number[]) =>
    createErrorGroupStore(clickhouse, ...limit).read(accountId, RequestLogFilters.parse({}), range)
  const result = await read()
  expect(result.groups).toHaveLength(50)
  expect(result).toMatchObject({ errors: 60, others: { groups: 10, errors: 10 }, isComplete: true })
  expect(await read(10)).toMatchObject({ isComplete: false })
})

test('messages that differ in numbers and ids are one kind, however many there are', async () => {
  const accountId = await store(
    Array.from({ length: 9 }, (_, at) => ({
      at: to - 1,
      status: 429,
      errorMessage: `Request req_a${at} took ${at} s`,
    })),
  )
  const result = await createErrorGroupStore(clickhouse, 3).read(accountId, RequestLogFilters.parse({}), {
    from,
    to,
    availableFrom: 0,
  })
  expect(result).toMatchObject({ errors: 9, groups: [{ pattern: 'Request <…> took <…> s', errors: 9 }] })
})

test('what changed: the customer whose requests fail, with both counts and shares, whatever the other tags are', async () => {
  const customers = ['acme', 'globex', 'initech', 'umbrella']
  const requests = Array.from({ length: 1_200 }, (_, at) => {
    const isNow = at % 3 === 0
    const customer = customers[at % 4]!
    const isFailed = isNow && customer === 'acme' ? at % 2 === 0 : at % 40 === 1
    return {
      at: isNow ? from + at : from - hour + at,
      model: ['gpt-4o', 'o3', null][(at % 5) % 3]!,
      tags: { customer, session: `session-${at}` },
      ...(isFailed && { status: 500, errorCode: 'server_error' }),
      responseTimeMs: isNow && at % 5 === 0 ? 9_000 : 100 + (at % 100),
      costNanoUsd: 1_000,
    }
  })
  const accountId = await store(requests)
  const changes = createChangeStore(clickhouse)
  const read = (measure: string, filters: object = {}) => {
    const ends = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    const query = ChangesQuery.parse({ ...ends, measure, ...filters })
    return changes.read(accountId, query, { beforeFrom: from - hour, from, to })
  }
  const failed = requests.filter(({ at, ...request }) => at >= from && 'status' in request)
  const errors = await read('errors')
  expect(errors).toMatchObject({ measure: 'errors', slowAbove: null, now: { requests: 400, amount: failed.length } })
  expect(errors.changes[0]).toMatchObject({ dimension: 'tag', tag: 'customer', value: 'acme', now: { requests: 100 } })
  expect(errors.changes[0]!.shareNow).toBeGreaterThan(errors.changes[0]!.shareBefore)
  expect(errors.changes.filter(({ tag }) => tag === 'session')).toEqual([])
  expect((await read('slow')).changes[0]).toMatchObject({ dimension: 'model', value: 'gpt-4o' })
  expect((await read('errors', { tag: 'customer:globex' })).changes).toEqual([])
  expect((await read('requests')).now).toEqual({ requests: 400, amount: 400 })
  expect((await read('cost')).now).toEqual({ requests: 400, amount: 400_000 })
})

test('a request is slow if it takes longer than 95 % of the requests before, of which a log can count several', async () => {
  const accountId = await store([
    { at: from - 2, responseTimeMs: 10, requestCount: 99 },
    { at: from - 1, responseTimeMs: 900 },
    { at: from, responseTimeMs: 11, requestCount: 3 },
  ])
  const ends = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const query = ChangesQuery.parse({ ...ends, measure: 'slow' })
  const changes = createChangeStore(clickhouse)
  const result = await changes.read(accountId, query, { beforeFrom: from - hour, from, to })
  expect(result).toMatchObject({ slowAbove: 10, now: { amount: 3 }, before: { amount: 1 } })
  const ofTwice = await changes.read(
    accountId,
    { ...query, measure: 'requests' },
    { beforeFrom: from - 2 * hour, from, to },
  )
  expect(ofTwice).toMatchObject({ before: { amount: 100 }, expected: 50 })
})

test('without requests, nothing is compared', async () => {
  const ends = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const changes = createChangeStore(clickhouse)
  for (const measure of ['requests', 'slow']) {
    const query = ChangesQuery.parse({ ...ends, measure })
    const result = await changes.read(uuidv7(), query, { beforeFrom: from - hour, from, to })
    expect(result).toMatchObject({ now: { requests: 0, amount: 0 }, expected: 0, changes: [] })
  }
})
