import { expect, test } from 'vitest'
import { describeCondition, describeFilters, formatMeasure } from './alert-texts.ts'
import type { AlertCondition } from './alerts.ts'

test.each<[Partial<AlertCondition>, string]>([
  [{ measure: 'cost', threshold: 0.00005 }, 'Cost over 0.00005 USD in 10 minutes'],
  [{ measure: 'errorRate', threshold: 0.05 }, 'Error rate over 0.05 % in 10 minutes'],
  [{ measure: 'requests', threshold: 1_000 }, 'Requests over 1,000 in 10 minutes'],
])('the threshold of %j is not rounded', (condition, text) =>
  expect(
    describeCondition({
      measure: 'cost',
      comparison: 'over',
      threshold: 1,
      windowMinutes: 10,
      filters: { status: 'all', method: 'all' },
      group: null,
      ...condition,
    }),
  ).toBe(text),
)

test.each([
  // As many digits as in the request logs.
  ['cost', 0.0000123, '0.000012 USD'],
  ['cost', 1.2345678, '1.234568 USD'],
  ['cost', 0.0000004, '0.0000004 USD'],
  ['errorRate', 0.04, '0.04 %'],
  ['errorRate', 12.345, '12.3 %'],
  ['errorRate', 0, '0 %'],
  ['p95', 4_321, '4,321 ms'],
] as const)('a %s of %d is shown as %s', (measure, value, text) => expect(formatMeasure(measure, value)).toBe(text))

test.each<[Partial<AlertCondition['filters']>, string[]]>([
  [{ status: 'all', method: 'all' }, []],
  [
    { status: 'failed', model: ['gpt-4o', ''], minResponseTime: 500 },
    ['status failed', 'model gpt-4o, none', 'minResponseTime 500'],
  ],
  [{ token: ['id', 'none'], not: ['token'] }, ['token not Name of id, none']],
  [
    { tag: ['customer:a', 'plan:pro', 'customer:b:c'], not: ['tag:plan'] },
    ['customer:a, customer:b:c', 'not plan:pro'],
  ],
])('the filters %j are described', (filters, texts) =>
  expect(describeFilters(filters, (id) => `Name of ${id}`)).toEqual(texts),
)
