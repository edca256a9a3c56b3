import { expect, test } from 'vitest'
import { budgetValues } from './budget-values.ts'

const budget = (tokenId: string, dailyBudgetNanoUsd: number | null, monthlyBudgetNanoUsd: number | null) => ({
  tokenId,
  dailyBudgetNanoUsd,
  monthlyBudgetNanoUsd,
})
const spent = (spentNanoUsd: number) => ({ spentNanoUsd, reservedNanoUsd: 0 })

const stores = {
  budgets: {
    list: async () => [
      budget('monthly', null, 20),
      budget('daily', 4, null),
      budget('both', 4, 10),
      budget('unknown', 4, null),
    ],
  },
  spending: {
    read: async (_accountId: string, tokenIds: readonly string[]) =>
      new Map(tokenIds.flatMap((id) => (id === 'unknown' ? [] : [[id, { day: spent(2), month: spent(8) }]]))),
  },
}

test.each([
  ['all tokens', {}, ['both', 'daily', 'monthly', 'unknown']],
  ['some tokens', { token: ['daily', 'unknown'] }, ['daily', 'unknown']],
  ['all but some', { token: ['daily', 'unknown'], not: ['token' as const] }, ['both', 'monthly']],
])('of %s, those that have spent the largest part of a budget come first', async (_tokens, filters, expected) => {
  const values = await budgetValues(stores, 'account', { status: 'all', method: 'all', ...filters })
  expect([...values.keys()]).toEqual(expected)
  const parts: Record<string, number | null> = { both: 80, daily: 50, monthly: 40, unknown: null }
  for (const [tokenId, value] of values) expect([tokenId, value]).toEqual([tokenId, parts[tokenId]])
})
