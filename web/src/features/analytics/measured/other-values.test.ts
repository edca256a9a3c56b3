import { expect, test } from 'vitest'
import { partsListed } from '#schemas/analytics.ts'
import { otherValues } from './other-values.ts'

const part = { requests: 3, errors: 1, promptTokens: 30, completionTokens: 3, costNanoUsd: 300, unpricedRequests: 0 }
const totals = { ...part, requests: 307, errors: 101, promptTokens: 3_000, costNanoUsd: 30_005, unpricedRequests: 2 }

test.each([
  [totals, partsListed, { requests: 7, errors: 1, promptTokens: 0, costNanoUsd: 5, unpricedRequests: 2, p95: null }],
  [{ ...totals, costNanoUsd: 30_000, unpricedRequests: 7 }, partsListed, { requests: 7, costNanoUsd: null }],
  [{ ...totals, requests: 300 }, partsListed, null],
  // All values are listed.
  [totals, partsListed - 1, null],
])('of the totals %j, %i listed values leave %j', (all, listed, others) => {
  const found = otherValues(
    all,
    Array.from({ length: listed }, () => ({ ...part, p95: 5 })),
  )
  if (others) expect(found).toMatchObject(others)
  else expect(found).toBeNull()
})
