import { expect, test } from 'vitest'
import { Measures } from '#schemas/analytics.ts'
import { toMeasures, toTotals } from './analytics-sums.ts'
import { noSums } from '../usage-sums.ts'

const row = (requests: number, unpricedRequests: number, costNanoUsd: number) => ({
  ...noSums,
  requests,
  unpricedRequests,
  costNanoUsd,
})

test.each([
  ['no requests', [], { costNanoUsd: 0, unpricedRequests: 0 }],
  ['free requests', [row(3, 0, 0)], { costNanoUsd: 0, unpricedRequests: 0 }],
  ['some without a known cost', [row(3, 1, 900), row(2, 2, 0)], { costNanoUsd: 900, unpricedRequests: 3 }],
  ['none with a known cost', [row(2, 2, 0)], { costNanoUsd: null, unpricedRequests: 2 }],
])('the cost of %s', (_name, rows, expected) => expect(toTotals(rows)).toMatchObject(expected))

test('more dollars than a number can count in billionths are rounded', () => {
  const half = { ...row(1, 0, Number.MAX_SAFE_INTEGER), at: 0, responseTimes: {}, firstByteTimes: {} }
  expect(Measures.parse(toMeasures([half, half])).costNanoUsd).toBe(2 * Number.MAX_SAFE_INTEGER)
})
