import { expect, test } from 'vitest'
import { AnalyticsQuery } from './analytics.ts'
import { RequestLogQuery } from './request-logs.ts'

const rejectedFields = (query: Record<string, unknown>) => {
  const { error } = RequestLogQuery.safeParse(query)
  return error?.issues.map((issue) => (issue.code === 'unrecognized_keys' ? issue.keys[0] : issue.path[0]))
}

test.each([
  [{ limit: '0' }, 'limit'],
  [{ limit: '1001' }, 'limit'],
  [{ offset: '-1' }, 'offset'],
  [{ cursor: "x' OR 1=1" }, 'cursor'],
  [{ order: 'created_at; DROP TABLE request_logs' }, 'order'],
  [{ status: '6xx' }, 'status'],
  [{ method: 'BREW' }, 'method'],
  [{ timeRange: '8d' }, 'timeRange'],
  [{ timeRange: '7d', from: '2026-11-01T00:00:00Z' }, 'timeRange'],
  [{ from: 'yesterday' }, 'from'],
  [{ from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }, 'to'],
  [{ token: 'abc' }, 'token'],
  [{ statusCode: '200,abc' }, 'statusCode'],
  [{ minResponseTime: '9', maxResponseTime: '1' }, 'maxResponseTime'],
  [{ outcome: 'fine' }, 'outcome'],
  [{ search: 'x'.repeat(10_241) }, 'search'],
  [{ search: 'ab', searchMode: 'substring', timeRange: '1h' }, 'search'],
  [{ search: 'abc', searchMode: 'substring' }, 'searchMode'],
  [{ search: 'abc', searchMode: 'substring', timeRange: '90d' }, 'searchMode'],
  [{ accountId: '0199a000-0000-7000-8000-000000000001' }, 'accountId'],
  [{ model: ['a', 'b'] }, 'model'],
  [JSON.parse('{"__proto__":{"limit":1}}'), '__proto__'],
])('rejects %j at its field', (query, field) => {
  expect(rejectedFields(query)).toContain(field)
})

test.each([
  {},
  { limit: '5' },
  { timeRange: '7' },
  { limit: '1000', timeRange: '90d' },
  { status: 'all', method: 'all' },
])('accepts %j', (query) => expect(rejectedFields(query)).toBeUndefined())

test.each([
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['America/Port-au-Prince', 'America/Port-au-Prince'],
  ['utc', 'UTC'],
  ['EUROPE/berlin', 'Europe/Berlin'],
  ['PST', 'America/Los_Angeles'],
  ['Mars/Olympus', undefined],
  ['SystemV/EST5', undefined],
  ['+02:00', undefined],
])('timezone %s', (timezone, name) => expect(AnalyticsQuery.safeParse({ timezone }).data?.timezone).toBe(name))
