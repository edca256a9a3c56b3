import { expect, it } from 'vitest'
import { dailyTrend, errorCounts, errorLabel, hourlyTimes, statusCounts, topEndpoints } from './estimate-series.ts'
import type { EstimateLog } from './estimates.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const log = (createdAt: string, change: Partial<EstimateLog> = {}): EstimateLog => ({
  createdAt,
  endpoint: '/v1/chat/completions',
  responseStatus: 200,
  responseTime: 100,
  ...change,
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
    log('2026-11-19T16:00:00Z'),
    log('2026-11-19T14:00:00Z', { responseStatus: 500 }),
    log('2026-11-01T00:00:00Z'),
  ]
  const days = dailyTrend(logs, '7d', now, 'Asia/Tokyo')
  expect(days.slice(-2).map(({ requests, errors }) => [requests, errors])).toEqual([
    [1, 1],
    [1, 0],
  ])
})

it('averages by hour of the day', () => {
  const hours = hourlyTimes([log('2026-11-19T03:10:00Z'), log('2026-11-18T03:50:00Z', { responseTime: 300 })], 'UTC')
  expect(hours).toHaveLength(24)
  expect([hours[3], hours[4]]).toEqual([200, null])
})

it('names the five endpoints that are called most', () => {
  const logs = ['a', 'b', 'c', 'd', 'e', 'f', 'f'].map((endpoint) => log('2026-11-20T00:00:00Z', { endpoint }))
  expect(topEndpoints(logs)[0]).toEqual({ key: 'f', count: 2 })
  expect(topEndpoints(logs)).toHaveLength(5)
})

it('lists errors apart from other statuses', () => {
  const logs = [200, 429, 429, 302].map((responseStatus) => log('2026-11-20T00:00:00Z', { responseStatus }))
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
