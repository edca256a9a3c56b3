import type { AlertFilters } from '#schemas/alerts.ts'
import type { TokenBudget, TokenBudgetStore } from '#store/postgres/credentials/token-budgets.ts'
import type { TokenSpending, TokenSpendingStore } from '#store/redis/token-spending.ts'

const tokensRead = 1_000

/** Percentage of its budget that each token has spent; with a daily and a monthly budget, the larger one. */
export async function budgetValues(
  { budgets, spending }: { budgets: Pick<TokenBudgetStore, 'list'>; spending: TokenSpendingStore },
  accountId: string,
  { token, not }: AlertFilters,
): Promise<Map<string, number | null>> {
  const isWanted = ({ tokenId }: TokenBudget) => !token || token.includes(tokenId) !== (not?.includes('token') ?? false)
  const tokens = (await budgets.list(accountId, tokensRead)).filter(isWanted)
  const tokenIds = tokens.map(({ tokenId }) => tokenId)
  const spent = await spending.read(accountId, tokenIds)
  const values = tokens.map((each): [string, number | null] => [
    each.tokenId,
    percentSpent(each, spent.get(each.tokenId)),
  ])
  // An alert evaluates a limited number of tokens: those that have spent the most.
  return new Map(values.toSorted(([, a], [, b]) => (b ?? 0) - (a ?? 0)))
}

function percentSpent({ dailyBudgetNanoUsd, monthlyBudgetNanoUsd }: TokenBudget, spent: TokenSpending | undefined) {
  if (!spent) return null
  return Math.max(
    part(spent.day.spentNanoUsd, dailyBudgetNanoUsd),
    part(spent.month.spentNanoUsd, monthlyBudgetNanoUsd),
  )
}

const part = (spentNanoUsd: number, budget: number | null) => (budget ? (100 * spentNanoUsd) / budget : 0)
