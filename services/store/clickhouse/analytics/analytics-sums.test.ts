import { expect, test } from 'vitest'
import { type SumRow, toTotals } from './analytics-sums.ts'

const row = (requests: number, unpricedRequests: number, costNanoUsd: number): SumRow => ({
  requests,
  unpricedRequests,
  costNanoUsd,
  failures: 0,
  unavailable: 0,
  responseTimeMs: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
})

test.each([
  ['no requests', [], { costNanoUsd: 0, unpricedRequests: 0 }],
  ['free requests', [row(3, 0, 0)], { costNanoUsd: 0, unpricedRequests: 0 }],
  ['some without a known cost', [row(3, 1, 900), row(2, 2, 0)], { costNanoUsd: 900, unpricedRequests: 3 }],
  ['none with a known cost', [row(2, 2, 0)], { costNanoUsd: null, unpricedRequests: 2 }],
])('the cost of %s', (_name, rows, expected) => expect(toTotals(rows)).toMatchObject(expected))
