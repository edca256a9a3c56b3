import { readFile } from 'node:fs/promises'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { createTestClickHouse } from '#tools/test/stores.ts'
import { day, hour } from '#core/units.ts'
import type { GroupBy, Measures } from '#schemas/analytics.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { RequestLogFilters } from '#schemas/request-logs.ts'
import { createAnalyticsStore } from './analytics.ts'
import { requestEvent } from '../logs/request-event.fixture.ts'
import { createRequestLogStore } from '../logs/request-logs.ts'
import { storeEvents } from '../logs/stored-logs.fixture.ts'
import { createUsageStore } from '../usage.ts'
import { migrationFolders } from '../../migration-files.ts'
import { statementsOf } from '../../migrations.ts'

const accountId = uuidv7()
const upgradedAccountId = uuidv7()
const now = Date.now()
const keys = ['0199a000-0000-7000-8000-00000000000a', '0199a000-0000-7000-8000-00000000000b']
const tokens = ['0199a000-0000-7000-8000-00000000000c', null]

const { clickhouse, drop } = await createTestClickHouse()
afterAll(drop)

/** Cycles through the list, repeating each value `rhythm` times. */
const pick = <Value>(list: readonly Value[], index: number, rhythm: number): Value =>
  list[Math.floor(index / rhythm) % list.length]!

const logsMade = 3_000

const events = Array.from({ length: logsMade }, (_, index) => {
  const at = now - 1 - Math.floor((index / logsMade) ** 2 * 12 * day)
  const status = pick([200, 200, 200, 429, 200, 500, 0], index, 1)
  const attempts = pick([1, 1, 2, 3], index, 2)
  // A log of several requests, which have neither tokens nor a cost.
  const isFolded = index % 10 === 0
  const event = requestEvent({
    id: uuidv7({ msecs: at }),
    accountId,
    status,
    attempts,
    attemptLog: Array.from({ length: attempts }, (_attempt, attempt) => ({
      apiKeyId: keys[attempts === 3 ? attempt % 2 : 0]!,
      startedAfterMs: 1,
      durationMs: 5,
      result: '200',
    })),
    outcome: status === 0 ? 'client_aborted' : pick(['completed', 'completed', 'upstream_failed'] as const, index, 5),
    model: pick(['gpt-4o', 'o3', null], index, 1),
    endpoint: pick(['/v1/chat/completions', '/v1/embeddings'], index, 3),
    tokenId: pick(tokens, index, 4),
    apiKeyId: pick(keys, index, 6),
    errorCode: status >= 400 ? pick(['rate_limit_exceeded', 'server_error', null], index, 1) : null,
    cacheStatus: pick(['hit', 'miss', null] as const, index, 7),
    responseTimeMs: 50 + (index % 90) * 11,
    timeToFirstByteMs: index % 4 === 0 ? null : 20 + (index % 30),
    promptTokens: isFolded ? null : 100 + (index % 70),
    completionTokens: status === 200 && !isFolded ? 10 + (index % 50) : null,
    cachedTokens: isFolded ? null : index % 60,
    costNanoUsd: isFolded ? null : 1_000 + index,
    requestCount: isFolded ? 3 : 1,
    tags: index % 3 === 0 ? {} : { customer: `customer-${index % 29}`, feature: pick(['search', 'chat'], index, 2) },
  })
  return { ...event, at }
})
type MadeEvent = (typeof events)[number]
/** Each request on its own. */
const requestsMade = events.flatMap((event) => Array.from({ length: event.requestCount }, () => event))
const logs = createRequestLogStore(clickhouse, { logRetentionDays: 90 })
for (let start = 0; start < logsMade; start += 500) await storeEvents(clickhouse, events.slice(start, start + 500))
const analytics = createAnalyticsStore(clickhouse, { logRetentionDays: 90, rollupRetentionDays: 400 })

const properties: Record<string, (event: RequestEvent) => string | null> = {
  model: ({ model }) => model,
  token: ({ tokenId }) => tokenId,
  key: ({ apiKeyId }) => apiKeyId,
  endpoint: ({ endpoint }) => endpoint,
  status: ({ status }) => String(status),
  outcome: ({ outcome }) => outcome,
  errorCode: ({ errorCode }) => errorCode,
  'tag:feature': ({ tags }) => tags.feature ?? null,
  'tag:customer': ({ tags }) => tags.customer ?? null,
}

const sum = (list: readonly MadeEvent[], of: (event: MadeEvent) => number | null) =>
  list.reduce((total, event) => total + (of(event) ?? 0), 0)
const count = (list: readonly MadeEvent[], is: (event: MadeEvent) => boolean) => list.filter(is).length

/** The expected measures of the events, without percentiles. */
function measuresOf(list: readonly MadeEvent[]) {
  const generated = list.filter(({ completionTokens }) => completionTokens)
  const generatedMs = sum(generated, ({ responseTimeMs }) => responseTimeMs) || null
  const started = list.filter(({ timeToFirstByteMs }) => timeToFirstByteMs !== null)
  const available = count(list, ({ status, outcome }) => status < 500 && outcome !== 'upstream_failed')
  const unpricedRequests = count(list, ({ costNanoUsd }) => costNanoUsd === null)
  return {
    requests: list.length,
    errors: count(list, ({ status }) => status === 0 || status >= 400),
    avgResponseTime: sum(list, ({ responseTimeMs }) => responseTimeMs) / list.length,
    availability: (100 * available) / list.length,
    promptTokens: sum(list, ({ promptTokens }) => promptTokens),
    completionTokens: sum(list, ({ completionTokens }) => completionTokens),
    cachedTokens: sum(list, ({ cachedTokens }) => cachedTokens),
    costNanoUsd: unpricedRequests === list.length ? null : sum(list, ({ costNanoUsd }) => costNanoUsd),
    unpricedRequests,
    cacheHits: count(list, ({ cacheStatus }) => cacheStatus === 'hit'),
    retried: count(list, ({ attempts }) => attempts > 1),
    failedOver: count(list, ({ attempts }) => attempts === 3),
    aborted: count(list, ({ outcome }) => outcome === 'client_aborted'),
    broken: count(list, ({ outcome }) => outcome === 'upstream_failed'),
    tokensPerSecond: generatedMs && (1_000 * sum(generated, ({ completionTokens }) => completionTokens)) / generatedMs,
    avgFirstByte: started.length ? sum(started, ({ timeToFirstByteMs }) => timeToFirstByteMs) / started.length : null,
  }
}

function expectMeasures(measures: Measures, list: readonly MadeEvent[], hasFirstBytes = true) {
  expect(measures).toMatchObject(measuresOf(list))
  const { p50, p95, p99, firstByteP50, firstByteP95, firstByteP99 } = measures
  expectPercentiles(
    [p50, p95, p99],
    list.map(({ responseTimeMs }) => responseTimeMs),
  )
  expectPercentiles(
    [firstByteP50, firstByteP95, firstByteP99],
    hasFirstBytes ? list.flatMap(({ timeToFirstByteMs }) => timeToFirstByteMs ?? []) : [],
  )
}

function expectPercentiles(actual: [p50: number | null, p95: number | null, p99: number | null], values: number[]) {
  for (const [index, part] of [0.5, 0.95, 0.99].entries()) expectPercentile(actual[index]!, values, part)
}

function expectPercentile(actual: number | null, values: number[], part: number) {
  if (values.length === 0) return expect(actual).toBeNull()
  const times = values.toSorted((one, other) => one - other)
  const place = Math.ceil(times.length * part) - 1
  const [least, most] = [times[Math.max(0, place - 1)]!, times[Math.min(times.length - 1, place + 1)]!]
  expect(actual).toBeGreaterThanOrEqual(Math.floor(least * 0.95))
  expect(actual).toBeLessThanOrEqual(Math.ceil(most * 1.05))
}

const filterSets: [string, Record<string, unknown>, (event: MadeEvent) => boolean][] = [
  ['all', {}, () => true],
  [
    'failed ones of a model',
    { status: 'failed', model: 'o3' },
    (event) => event.model === 'o3' && event.status !== 200,
  ],
  [
    'retried ones of a feature that were not aborted',
    { retried: 'true', tag: 'feature:search', outcome: 'client_aborted', not: 'outcome' },
    (event) => event.attempts > 1 && event.tags.feature === 'search' && event.outcome !== 'client_aborted',
  ],
  [
    'failed-over ones without an error code',
    { failedOver: 'true', errorCode: '' },
    (event) => event.attempts === 3 && event.errorCode === null,
  ],
]

/** Each property with all requests, and with one of the filters. */
const cases = filterSets.flatMap(([name, raw, is], index) =>
  Object.keys(properties)
    .filter((_property, at) => index === 0 || at % (filterSets.length - 1) === index - 1)
    .map((groupBy) => ({ name, groupBy: groupBy as GroupBy, filters: RequestLogFilters.parse(raw), is })),
)

test.each(cases)('$name by $groupBy: each number is that of its requests', async ({ name, groupBy, filters, is }) => {
  const [from, to] = [now - 9 * day - 1_234, now - 3_456]
  const expected = requestsMade.filter((event) => event.at >= from && event.at < to && is(event))
  const byValue = Map.groupBy(expected, properties[groupBy]!)
  const result = await analytics.readGroups(accountId, { from, to, timezone: 'Asia/Kolkata', filters }, groupBy)
  expect([Date.parse(result.from), Date.parse(result.to)]).toEqual([from, to])
  const sizes = [...byValue.values()].map((list) => list.length).toSorted((one, other) => other - one)
  expect(result.groups.map((group) => group.requests)).toEqual(sizes.slice(0, 20))
  // Rollups have response times by group, but no times to first byte.
  const hasFirstBytes = name !== 'all' || !['model', 'endpoint', 'token', 'key'].includes(groupBy)
  for (const { value, series, ...measures } of result.groups) {
    const list = byValue.get(value) ?? []
    expectMeasures(measures, list, hasFirstBytes)
    if (series) expect(sumOf(series)).toBe(list.length)
  }
  const named = new Set(result.groups.map(({ value }) => value))
  const rest = expected.filter((event) => !named.has(properties[groupBy]!(event)))
  expect(result.others?.requests ?? 0).toBe(rest.length)
  if (result.others) expectMeasures(result.others, rest, hasFirstBytes)
  const charted = result.groups.flatMap(({ series }) => series ?? [])
  expect(sumOf([...charted, ...result.otherSeries])).toBe(expected.length)
})

const upgraded = (['status', 'outcome', 'errorCode'] as const).flatMap((groupBy) => [
  { groupBy, days: 9, source: groupBy === 'status' ? 'rollups' : 'rows' },
  { groupBy, days: 2, source: 'rollups' },
])

test('an upgrade three days ago', async () => {
  const upgradedAt = now - 3 * day
  await runMigration('006_measures.sql', (statement) => statement.includes('MODIFY QUERY'))
  await insertUpgraded(({ at }) => at < upgradedAt)
  await runMigration('007_failures.sql')
  await insertUpgraded(({ at }) => at >= upgradedAt)
})

test.each(upgraded)('after it, $days days by $groupBy come from $source', async ({ groupBy, days, source }) => {
  const [from, to] = [now - days * day, now - 3_456]
  const range = { from, to, timezone: 'UTC', filters: RequestLogFilters.parse({}) }
  const result = await analytics.readGroups(upgradedAccountId, range, groupBy)
  expect(result.source).toBe(source)
  const expected = requestsMade.filter((event) => event.at >= from && event.at < to)
  const byValue = Map.groupBy(expected, properties[groupBy]!)
  expect(result.groups).toHaveLength(byValue.size)
  for (const { value, ...measures } of result.groups) expectMeasures(measures, byValue.get(value) ?? [])
})

async function runMigration(file: string, isIncluded = (_statement: string) => true) {
  const text = await readFile(new URL(file, migrationFolders.clickhouse), 'utf8')
  for (const query of statementsOf(text).filter(isIncluded)) await clickhouse.command({ query })
}

async function insertUpgraded(isInserted: (event: MadeEvent) => boolean) {
  const list = events.filter(isInserted).map((event) => ({ ...event, accountId: upgradedAccountId }))
  await storeEvents(clickhouse, list)
}

const zones = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Asia/Kathmandu']
/** Each zone with all requests, which are read from rollups, and with one of the filters, which are applied to rows. */
const inZones = zones.flatMap((timezone, at) =>
  [...new Set([0, at])].map((index) => {
    const [name, raw, is] = filterSets[index]!
    return { timezone, name, raw, is }
  }),
)

test.each(inZones)('$name in $timezone: all numbers are those of the requests', async ({ timezone, raw, is }) => {
  const filters = RequestLogFilters.parse(raw)
  const [from, to] = [now - 6 * day - 777, now - 5]
  const expected = requestsMade.filter((event) => event.at >= from && event.at < to && is(event))
  const before = requestsMade.filter((event) => event.at >= from - (to - from) && event.at < from && is(event))
  const result = await analytics.read(accountId, { from, to, timezone, filters })
  expectMeasures(result.totals, expected)
  expectMeasures(result.previous, before)
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: timezone })
  const hourOf = new Intl.DateTimeFormat('en', { timeZone: timezone, hour: 'numeric', hourCycle: 'h23' })
  const days = Map.groupBy(expected, ({ at }) => dayOf.format(at))
  expect(result.daily.map(({ date, requests }) => [date, requests])).toEqual(
    [...days].map(([date, list]) => [date, list.length]).toSorted(),
  )
  expect(result.hourly.map(({ requests }) => requests)).toEqual(
    Array.from({ length: 24 }, (_, at) => count(expected, (event) => Number(hourOf.format(event.at)) === at)),
  )
  expect(result.step).toBe('1h')
  for (const { at, requests } of result.series) {
    const start = Date.parse(at)
    expect(requests).toBe(count(expected, (event) => event.at >= start && event.at < start + hour))
  }
  for (const part of [result.models, result.tokens, result.keys, result.routes, result.statuses])
    expect(sumOf(part)).toBe(expected.length)
  for (const [parts, valueOf] of [
    [result.models, ({ model }: MadeEvent) => model],
    [result.tokens, ({ tokenId }: MadeEvent) => tokenId],
    [result.keys, ({ apiKeyId }: MadeEvent) => apiKeyId],
  ] as const) {
    const byValue = Map.groupBy(expected, valueOf)
    for (const { value, requests, p95 } of parts) {
      const times = byValue.get(value)!.map(({ responseTimeMs }) => responseTimeMs)
      expect(requests).toBe(times.length)
      expectPercentile(p95, times, 0.95)
    }
  }
  expect(result.heatmap.counts.flat().reduce((total, each) => total + each, 0)).toBe(expected.length)
})

test('of filtered requests, times leave out logs that have expired but are not deleted yet', async () => {
  const expiring = createAnalyticsStore(clickhouse, { logRetentionDays: 3, rollupRetentionDays: 400 })
  const range = { from: now - 9 * day, to: now, timezone: 'UTC', filters: RequestLogFilters.parse({ model: 'o3' }) }
  const result = await expiring.read(accountId, range)
  const start = Date.parse(result.timesAvailableFrom)
  const kept = requestsMade.filter((event) => event.at >= start && event.at < now && event.model === 'o3')
  expect(result.totals.requests).toBeGreaterThan(kept.length)
  expect(result.heatmap.counts.flat().reduce((total, each) => total + each, 0)).toBe(kept.length)
  const { groups } = await expiring.readGroups(accountId, range, 'model')
  const times = kept.map(({ responseTimeMs }) => responseTimeMs)
  for (const { p95 } of [result.totals, ...groups]) expectPercentile(p95, times, 0.95)
})

test('the last hour has the same requests in logs, stats and analytics', async () => {
  const range = { from: now - hour, to: now }
  const [from, to] = [range.from, range.to].map((at) => new Date(at).toISOString())
  const filters = RequestLogFilters.parse({ from, to })
  const made = requestsMade.filter(({ at }) => at >= range.from && at < range.to).length
  expect(made).toBeGreaterThan(5)
  expect(await logs.count(accountId, filters)).toMatchObject({ requests: made })
  const stats = await createUsageStore(clickhouse, { logRetentionDays: 90 }).stats(accountId, range)
  expect(stats.totalRequests).toBe(made)
  const { totals } = await analytics.read(accountId, { ...range, timezone: 'UTC', filters })
  expect(totals.requests).toBe(made)
})

const sumOf = (list: readonly { requests: number }[]) => list.reduce((total, { requests }) => total + requests, 0)
