import { describe, expect, it } from 'vitest'
import {
  averageTime,
  costByModel,
  costPerRequest,
  type EstimateLog,
  estimatedCost,
  monthlyProjection,
  p95,
  successRate,
  throughput,
  uptimeLabel,
} from './estimates.ts'

const log = (change: Partial<EstimateLog> = {}): EstimateLog => ({
  createdAt: '2026-11-20T12:00:00.000Z',
  endpoint: '/v1/chat/completions',
  responseStatus: 200,
  responseTime: 100,
  ...change,
})
const many = (count: number, change?: Partial<EstimateLog>) => Array.from({ length: count }, () => log(change))

it.each([
  ['/v1/chat/completions', 0.002],
  ['/v1/embeddings', 0.0001],
  ['/v1/images/generations', 0.02],
  ['/v1/completions', 0.001],
  ['/v1/models', 0.001],
])('a request to %s costs %d', (endpoint, cost) => expect(costPerRequest(endpoint)).toBe(cost))

it('adds costs up without drift', () => {
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
    successRate([log(), log({ responseStatus: 399 }), log({ responseStatus: 400 }), log({ responseStatus: 500 })]),
  ).toBe(50)
  expect(successRate([])).toBe(0)
})

it('takes P95 as 1.5 times the average', () => {
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

it('divides the requests by 7, whatever the range', () => expect(throughput(many(70))).toBe(10))

it.each([
  ['24h', 30],
  ['7d', 30 / 7],
  ['30d', 1],
  ['90d', 1],
] as const)('projects a cost of the range %s to 30 days', (range, factor) => {
  expect(monthlyProjection(2, range)).toBeCloseTo(2 * factor, 10)
})

describe('the split by model', () => {
  const split = costByModel([...many(100), ...many(50, { endpoint: '/v1/embeddings' })])

  it('is 60, 30 and 10 % of the cost', () => {
    expect(split.map(({ cost }) => cost.toFixed(4))).toEqual(['0.1230', '0.0615', '0.0205'])
  })

  it('gives the second model 30 % of the chat requests', () => {
    expect(split[1]?.requests).toBe(30)
  })
})
