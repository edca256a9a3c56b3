import { expect, it } from 'vitest'
import {
  dailyTrend,
  errorCounts,
  errorLabel,
  hourlyTimes,
  oldestKnownDay,
  statusCounts,
  topEndpoints,
} from './estimate-series.ts'
import { countRequests } from '#web/lib/queries/request-logs.ts'
import {
  averageTime,
  costByModel,
  type EstimateLog,
  estimatedCost,
  monthlyProjection,
  p95,
  successRate,
  throughput,
  uptimeLabel,
} from './estimates.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const log = (change: Partial<EstimateLog> = {}): EstimateLog => ({
  createdAt: '2026-11-20T12:00:00.000Z',
  endpoint: '/v1/chat/completions',
  responseStatus: 200,
  responseTime: 100,
  requestCount: 1,
  ...change,
})
const many = (count: number, change?: Partial<EstimateLog>) => Array.from({ length: count }, () => log(change))

it.each([
  ['/v1/chat/completions', 0.002],
  ['/v1/embeddings', 0.0001],
  ['/v1/images/generations', 0.02],
  ['/v1/completions', 0.001],
  ['/v1/models', 0.001],
])('a request to %s costs %d', (endpoint, cost) => expect(estimatedCost([log({ endpoint })])).toBe(cost))

it('adds costs up without rounding errors', () => {
  const logs = [
    ...many(10),
    ...many(3, { endpoint: '/v1/embeddings' }),
    ...many(2, { endpoint: '/v1/images/generations' }),
  ]
  expect(estimatedCost(logs)).toBe(0.0603)
  expect(estimatedCost(many(1_000, { endpoint: '/v1/embeddings' }))).toBe(0.1)
})

it('counts a status below 400 as success', () => {
  expect(
    successRate([log(), log({ responseStatus: 399 }), log({ responseStatus: 400 }), log({ responseStatus: 0 })]),
  ).toBe(50)
  expect(successRate([])).toBe(0)
})

it('estimates P95 as 1.5 times the average', () => {
  const logs = [log({ responseTime: 100 }), log({ responseTime: 300 })]
  expect([averageTime(logs), p95(logs)]).toEqual([200, 300])
  expect(averageTime([])).toBe(0)
})

it.each([
  [100, '99.9%'],
  [95.01, '99.9%'],
  [95, '99.5%'],
  [0, '99.5%'],
])('calls a success rate of %d an uptime of %s', (rate, label) => expect(uptimeLabel(rate)).toBe(label))

it('counts a log as its number of requests', () => {
  const folded = { responseStatus: 429, responseTime: 1, requestCount: 3, createdAt: '2026-11-20T03:00:00Z' }
  const logs = [log({ createdAt: '2026-11-20T03:30:00Z', responseTime: 21 }), log(folded)]
  expect(countRequests(logs)).toBe(4)
  expect([successRate(logs), averageTime(logs)]).toEqual([25, 6])
  expect([estimatedCost(logs), throughput(logs)]).toEqual([0.008, 4 / 7])
  expect(costByModel(logs)[0]?.requests).toBe(2)
  expect(dailyTrend(logs, '24h', now, 'UTC').at(-1)).toMatchObject({ requests: 4, errors: 3 })
  expect(hourlyTimes(logs, 'UTC')[3]).toBe(6)
  expect(topEndpoints(logs)).toEqual([{ key: '/v1/chat/completions', count: 4 }])
  expect(errorCounts(logs)).toEqual([{ key: 429, count: 3 }])
})

it('divides the requests by 7, whatever the range', () => expect(throughput(many(70))).toBe(10))

it.each([
  ['24h', 30],
  ['7d', 30 / 7],
  ['30d', 1],
  ['90d', 1],
] as const)('projects a cost of the range %s to 30 days', (range, factor) => {
  expect(monthlyProjection(2, range)).toBeCloseTo(2 * factor, 10)
})

it('splits cost and chat requests between the models 60, 30 and 10 %', () => {
  const split = costByModel([...many(100), ...many(50, { endpoint: '/v1/embeddings' })])
  expect(split.map(({ cost, requests }) => [cost.toFixed(4), requests])).toEqual([
    ['0.1230', 60],
    ['0.0615', 30],
    ['0.0205', 10],
  ])
})

it.each([
  ['24h', 2],
  ['7d', 8],
  ['30d', 8],
  ['90d', 8],
] as const)('draws %s as %i days', (range, count) => {
  const days = dailyTrend([], range, now, 'UTC')
  expect(days).toHaveLength(count)
  expect(new Date(days.at(-1)?.at ?? 0).toISOString()).toBe('2026-11-20T00:00:00.000Z')
})

it('counts requests and errors by calendar day of the zone', () => {
  const logs = [
    log({ createdAt: '2026-11-19T16:00:00Z' }),
    log({ createdAt: '2026-11-19T14:00:00Z', responseStatus: 500 }),
    log({ createdAt: '2026-11-01T00:00:00Z' }),
  ]
  const days = dailyTrend(logs, '7d', now, 'Asia/Tokyo')
  expect(days.slice(-2).map(({ requests, errors }) => [requests, errors])).toEqual([
    [1, 1],
    [1, 0],
  ])
})

it('knows no day before the oldest log', () => {
  const logs = [log({ createdAt: '2026-11-19T16:00:00Z' }), log({ createdAt: '2026-11-18T16:00:00Z' })]
  expect(new Date(oldestKnownDay(logs, 'Asia/Tokyo')).toISOString()).toBe('2026-11-18T15:00:00.000Z')
})

it('averages by hour of the day', () => {
  const hours = hourlyTimes(
    [log({ createdAt: '2026-11-19T03:10:00Z' }), log({ createdAt: '2026-11-18T03:50:00Z', responseTime: 300 })],
    'UTC',
  )
  expect(hours).toHaveLength(24)
  expect([hours[3], hours[4]]).toEqual([200, null])
})

it('ranks the five most frequent endpoints', () => {
  const logs = ['a', 'b', 'c', 'd', 'e', 'f', 'f'].map((endpoint) => log({ endpoint }))
  expect(topEndpoints(logs)[0]).toEqual({ key: 'f', count: 2 })
  expect(topEndpoints(logs)).toHaveLength(5)
})

it('counts an endpoint with any identifier as one, because a click on it opens all of them', () => {
  const logs = ['/v1/files/file-abc123', '/v1/files/file-xyz789'].map((endpoint) => log({ endpoint }))
  expect(topEndpoints(logs)).toEqual([{ key: '/v1/files/{id}', count: 2 }])
})

it('counts errors separately', () => {
  const logs = [200, 429, 429, 302].map((responseStatus) => log({ responseStatus }))
  expect(statusCounts(logs)).toHaveLength(3)
  expect(errorCounts(logs)).toEqual([{ key: 429, count: 2 }])
})

it.each([
  [401, '401 Unauthorized'],
  [403, '403 Forbidden'],
  [404, '404 Not Found'],
  [429, '429 Rate Limited'],
  [500, '500 Server Error'],
  [400, 'Error'],
  [502, 'Error'],
])('labels %i', (status, label) => expect(errorLabel(status)).toBe(label))
