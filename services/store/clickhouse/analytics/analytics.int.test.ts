import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test, vi } from 'vitest'
import { createTestClickHouse } from '#tools/test/stores.ts'
import { dayOf, monthOf } from '#core/period.ts'
import { day, hour, minute } from '#core/units.ts'
import { RequestLogFilters } from '#schemas/request-logs.ts'
import { createAnalyticsStore } from './analytics.ts'
import { requestEvent } from '../logs/request-event.fixture.ts'
import { storeEvents } from '../logs/stored-logs.fixture.ts'
import { keptFrom } from '../range-pieces.ts'
import { createUsageStore } from '../usage.ts'

const accountId = uuidv7()
const now = Date.now()
const filters = RequestLogFilters.parse({})

const { clickhouse, drop } = await createTestClickHouse()
afterAll(drop)
const analytics = createAnalyticsStore(clickhouse, { logRetentionDays: 90, rollupRetentionDays: 400 })
const events = Array.from({ length: 600 }, (_, index) => {
  const at = now - Math.floor((index / 600) * 20 * day) - 1_000
  const event = requestEvent({
    id: uuidv7({ msecs: at }),
    accountId,
    status: [200, 200, 200, 429, 500, 0][index % 6]!,
    outcome: index % 6 === 5 ? 'client_aborted' : 'completed',
    model: ['gpt-4o', 'o3', null][index % 3]!,
    tokenId: index % 4 === 0 ? null : '0199a000-0000-7000-8000-000000000002',
    ...(index % 6 === 5 && { apiKeyId: null }),
    responseTimeMs: 50 + (index % 100) * 10,
    costNanoUsd: index % 10 === 0 || index % 6 === 5 ? null : 1_000,
  })
  return { ...event, at }
})
await storeEvents(clickhouse, [requestEvent({ accountId: uuidv7() })])
for (let at = 0; at < 600; at += 100) await storeEvents(clickhouse, events.slice(at, at + 100))

const quarterFloor = (at: number) => Math.floor(at / (hour / 4)) * (hour / 4)

const within = (from: number, to: number) => events.filter(({ at }) => at >= from && at < to)

test.each([
  ['all of it by quarter days', 30 * day, 'America/New_York', '6h'],
  ['an afternoon by minutes', 5 * hour, 'UTC', '5m'],
])('%s is the sum of its requests', async (_name, span, timezone, step) => {
  const result = await analytics.read(accountId, { from: now - span, to: now, timezone, filters })
  const expected = within(now - span, now)
  const { totals, series, daily, hourly, routes, models, statuses, keys } = result
  expect(result.step).toBe(step)
  expect(totals.requests).toBe(expected.length)
  expect(totals.errors).toBe(expected.filter(({ status }) => status === 0 || status >= 400).length)
  expect(totals.unpricedRequests).toBe(expected.filter(({ costNanoUsd }) => costNanoUsd === null).length)
  expect(totals.costNanoUsd).toBe(expected.filter(({ costNanoUsd }) => costNanoUsd).length * 1_000)
  const sum = expected.reduce((total, { responseTimeMs }) => total + responseTimeMs, 0)
  expect(totals.avgResponseTime).toBeCloseTo(sum / expected.length)
  const availability = expected.filter(({ status }) => status < 500).length / expected.length
  expect(totals.availability).toBeCloseTo(100 * availability)
  for (const parts of [series, daily, hourly, routes, models, statuses, keys])
    expect(parts.reduce((total, { requests }) => total + requests, 0)).toBe(expected.length)
  for (const parts of [routes, models, statuses, keys])
    expect(parts).toEqual(parts.toSorted((one, other) => other.requests - one.requests))
  const { at: starts, bounds, counts } = result.heatmap
  for (const [column, start] of starts.entries()) {
    const ofStep = within(Date.parse(start), Date.parse(starts[column + 1] ?? new Date(now).toISOString()))
    const inBand = ofStep.filter(({ at }) => at >= now - span).map(({ responseTimeMs }) => responseTimeMs)
    const expectedCounts = [...bounds, Infinity].map(
      (bound, band) => inBand.filter((ms) => ms < bound && ms >= (bounds[band - 1] ?? 0)).length,
    )
    expect(counts[column]).toEqual(expectedCounts)
  }
  const sorted = expected.map(({ responseTimeMs }) => responseTimeMs).toSorted((a, b) => a - b)
  const p95 = sorted[Math.floor(sorted.length * 0.95)]!
  expect(Math.abs(totals.p95! - p95) / p95).toBeLessThan(0.08)
})

test('an account without requests has been available', async () => {
  const empty = await analytics.read(uuidv7(), { from: now - 5 * day, to: now, timezone: 'UTC', filters })
  expect(empty.totals).toMatchObject({ requests: 0, successRate: 0, availability: 100, p95: null })
  expect(empty.series).toEqual([])
})

test.each([
  [6, '5m'],
  [9, '15m'],
])('an afternoon %i days ago has steps of %s, because minutes are kept for a week', async (days, step) => {
  const from = now - days * day
  const result = await analytics.read(accountId, { from, to: from + 5 * hour, timezone: 'UTC', filters })
  expect(result).toMatchObject({ step, totals: { requests: within(from, from + 5 * hour).length } })
})

test('a previous range that is only partly stored is not compared', async () => {
  const range = { from: now - 8 * day, to: now, timezone: 'UTC' }
  const read = async (status: string, rollupRetentionDays: number) => {
    const store = createAnalyticsStore(clickhouse, { logRetentionDays: 12, rollupRetentionDays })
    return store.read(accountId, { ...range, filters: RequestLogFilters.parse({ status }) })
  }
  expect((await read('all', 14)).previous).toMatchObject({ requests: 0, p95: null })
  const before = within(quarterFloor(now - 16 * day), now - 8 * day)
  const failed = before.filter(({ status }) => status === 0 || status >= 400)
  expect((await read('failed', 400)).previous).toMatchObject({ requests: failed.length, p95: null })
})

test.each([
  ['all', undefined, 400],
  ['failed', undefined, 5],
  ['all', 'model', 400],
  ['all', 'tag:customer', 5],
  ['failed', 'model', 5],
] as const)('of %s requests by %s, percentiles are known for %i days', async (status, groupBy, days) => {
  const store = createAnalyticsStore(clickhouse, { logRetentionDays: 5, rollupRetentionDays: 400, now: () => now })
  const range = { from: now - 2 * day, to: now, timezone: 'UTC', filters: RequestLogFilters.parse({ status }) }
  const { timesAvailableFrom } = await (groupBy
    ? store.readGroups(accountId, range, groupBy)
    : store.read(accountId, range))
  expect(Date.parse(timesAvailableFrom)).toBe(keptFrom(now, days))
})

test('stats are those of all time, or exactly of a range', async () => {
  const usage = createUsageStore(clickhouse, { logRetentionDays: 90 })
  expect(await usage.stats(accountId)).toMatchObject({ totalRequests: 600, successRate: 50 })
  const middle = events[300]!.at
  for (const [from, to] of [
    [now - 7 * day, now],
    [middle, middle + 1],
    [middle + 1, middle + 7 * minute],
    [now - 9.5 * day - 1, middle],
  ] as const) {
    const expected = within(from, to)
    const time = expected.reduce((sum, { responseTimeMs }) => sum + responseTimeMs, 0)
    const stats = await usage.stats(accountId, { from, to })
    expect(stats.totalRequests).toBe(expected.length)
    expect(stats.avgResponseTime).toBeCloseTo(expected.length === 0 ? 0 : time / expected.length)
  }
})

test('stats of a time whose rows are gone count whole quarter hours', async () => {
  const usage = createUsageStore(clickhouse, { logRetentionDays: 1 })
  const { at } = events[300]!
  const expected = within(quarterFloor(at), quarterFloor(at) + hour / 4)
  expect((await usage.stats(accountId, { from: at + 1, to: at + 2 })).totalRequests).toBe(expected.length)
})

test('the usage of an account is its forwarded requests; concurrent reads share one query', async () => {
  const usage = createUsageStore(clickhouse, { logRetentionDays: 90, now: () => now })
  const forwarded = events.filter(({ apiKeyId }) => apiKeyId !== null)
  const since = (start: number) => forwarded.filter(({ at }) => at >= start).length
  expect(await usage.counted(accountId)).toEqual({
    today: since(Date.parse(dayOf(now))),
    month: since(Date.parse(monthOf(now))),
  })
  const query = vi.spyOn(clickhouse, 'query')
  const read = await Promise.all(Array.from({ length: 50 }, () => usage.counted(accountId)))
  await usage.counted(accountId)
  expect([new Set(read).size, query.mock.calls.length]).toEqual([1, 2])
  query.mockRestore()
})

test('the first byte of a group is unknown if only expired logs have it', async () => {
  const other = uuidv7()
  const eventAt = (at: number, timeToFirstByteMs: number | null) =>
    requestEvent({ accountId: other, id: uuidv7({ msecs: at }), timeToFirstByteMs })
  const to = Date.now()
  await storeEvents(clickhouse, [eventAt(to - 8 * day, 100), eventAt(to - 1, null)])
  const expiring = createAnalyticsStore(clickhouse, { logRetentionDays: 3, rollupRetentionDays: 400 })
  const range = { from: to - 9 * day, to, timezone: 'UTC', filters: RequestLogFilters.parse({ model: 'gpt-4o' }) }
  const { groups } = await expiring.readGroups(other, range, 'model')
  expect(groups).toMatchObject([{ requests: 2, avgFirstByte: 100, firstByteP50: null, firstByteP99: null }])
})
