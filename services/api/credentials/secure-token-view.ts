import type { FastifyBaseLogger } from 'fastify'
import type { BudgetSpending, ChangeSecureToken, SecureToken } from '#schemas/secure-tokens.ts'
import { unused, type UsageStore } from '#store/clickhouse/usage.ts'
import type { SecureTokenRow } from '#store/postgres/credentials/secure-tokens.ts'
import type { PeriodSpending, TokenSpendingStore } from '#store/redis/token-spending.ts'
import { nanoUsdPerUsd } from '#core/units.ts'
import { withFallback } from '../with-fallback.ts'

/** Rounded, because in floating point 0.1 USD times a billion is not a whole number of nano-USD. */
const fromUsd = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * nanoUsdPerUsd))

/** Omitted budgets stay omitted. */
export const withNanoUsd = <Fields extends Pick<ChangeSecureToken, 'dailyBudgetUsd' | 'monthlyBudgetUsd'>>({
  dailyBudgetUsd,
  monthlyBudgetUsd,
  ...fields
}: Fields) => ({
  ...fields,
  ...(dailyBudgetUsd !== undefined && { dailyBudgetNanoUsd: fromUsd(dailyBudgetUsd) }),
  ...(monthlyBudgetUsd !== undefined && { monthlyBudgetNanoUsd: fromUsd(monthlyBudgetUsd) }),
})

const toUsd = (nanoUsd: number | null): number | null => (nanoUsd === null ? null : nanoUsd / nanoUsdPerUsd)

interface Sources {
  usage: UsageStore
  spending: TokenSpendingStore
}

/** Adds the tokens' usage and the spent part of their budgets. */
export async function toSecureTokens(
  { usage, spending }: Sources,
  accountId: string,
  rows: readonly SecureTokenRow[],
  log: FastifyBaseLogger,
): Promise<SecureToken[]> {
  const budgeted = rows.filter((row) => row.dailyBudgetNanoUsd !== null || row.monthlyBudgetNanoUsd !== null)
  const ids = budgeted.map(({ id }) => id)
  const [usageById, spendingById] = await Promise.all([
    withFallback(usage.byCredential(accountId, 'token_id'), new Map(), log, 'usage is unavailable'),
    withFallback(spending.read(accountId, ids), new Map(), log, 'token spending is unavailable'),
  ])
  // The response schema removes the row's other fields.
  return rows.map((row) => ({
    ...row,
    ...(usageById.get(row.id) ?? unused),
    token: row.maskedToken,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    previousSecret: toPreviousSecret(row),
    logBodiesUntil: toFuture(row.logBodiesUntil),
    dailyBudgetUsd: toUsd(row.dailyBudgetNanoUsd),
    monthlyBudgetUsd: toUsd(row.monthlyBudgetNanoUsd),
    dailySpending: toSpending(row.dailyBudgetNanoUsd, spendingById.get(row.id)?.day),
    monthlySpending: toSpending(row.monthlyBudgetNanoUsd, spendingById.get(row.id)?.month),
  }))
}

function toSpending(budgetNanoUsd: number | null, spending: PeriodSpending | undefined): BudgetSpending | null {
  if (budgetNanoUsd === null || !spending) return null
  return { spentUsd: spending.spentNanoUsd / nanoUsdPerUsd, reservedUsd: spending.reservedNanoUsd / nanoUsdPerUsd }
}

const toFuture = (moment: Date | null) => (moment !== null && moment > new Date() ? moment.toISOString() : null)

function toPreviousSecret({ previousMaskedToken: token, previousExpiresAt, previousUsedAt }: SecureTokenRow) {
  if (token === null || previousExpiresAt === null || previousExpiresAt <= new Date()) return null
  return { token, expiresAt: previousExpiresAt.toISOString(), lastUsed: previousUsedAt?.toISOString() ?? null }
}
