import type { ChangeSecureToken, SecureToken } from '#schemas/secure-tokens.ts'
import type { SecureTokenRow } from '#store/postgres/secure-tokens.ts'
import { unused, type Usage } from '#store/clickhouse/usage.ts'

const nanoPerUsd = 1_000_000_000

/** Rounded, because 0.1 USD times a billion is not a whole number of nano-USD in floating point. */
const fromUsd = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * nanoPerUsd))

/** Budgets that are left out stay left out. */
export const withNanoUsd = <Fields extends Pick<ChangeSecureToken, 'dailyBudgetUsd' | 'monthlyBudgetUsd'>>({
  dailyBudgetUsd,
  monthlyBudgetUsd,
  ...fields
}: Fields) => ({
  ...fields,
  ...(dailyBudgetUsd !== undefined && { dailyBudgetNanoUsd: fromUsd(dailyBudgetUsd) }),
  ...(monthlyBudgetUsd !== undefined && { monthlyBudgetNanoUsd: fromUsd(monthlyBudgetUsd) }),
})

const toUsd = (nanoUsd: number | null): number | null => (nanoUsd === null ? null : nanoUsd / nanoPerUsd)

/** The response schema leaves out the other fields of the row. */
export const toSecureToken = (row: SecureTokenRow, usage: Usage = unused): SecureToken => ({
  ...row,
  ...usage,
  token: row.maskedToken,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  dailyBudgetUsd: toUsd(row.dailyBudgetNanoUsd),
  monthlyBudgetUsd: toUsd(row.monthlyBudgetNanoUsd),
  previousSecret: toPreviousSecret(row),
})

function toPreviousSecret({ previousMaskedToken: token, previousExpiresAt, previousUsedAt }: SecureTokenRow) {
  if (token === null || previousExpiresAt === null || previousExpiresAt <= new Date()) return null
  return { token, expiresAt: previousExpiresAt.toISOString(), lastUsed: previousUsedAt?.toISOString() ?? null }
}
