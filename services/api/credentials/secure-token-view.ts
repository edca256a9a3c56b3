import type { SecureToken } from '#schemas/secure-tokens.ts'
import type { SecureTokenRow } from '#store/postgres/secure-tokens.ts'
import { unused, type Usage } from '#store/clickhouse/usage.ts'

const nanoPerUsd = 1_000_000_000

/** Rounded, because 0.1 USD times a billion is not a whole number of nano-USD in floating point. */
export const fromUsd = (usd: number | null): number | null => (usd === null ? null : Math.round(usd * nanoPerUsd))

/** A token as its owner sees it, masked. */
export const toSecureToken = (
  { maskedToken, monthlyBudgetNanoUsd, expiresAt, createdAt, ...row }: SecureTokenRow,
  usage: Usage = unused,
): SecureToken => ({
  ...row,
  ...usage,
  token: maskedToken,
  monthlyBudgetUsd: monthlyBudgetNanoUsd === null ? null : monthlyBudgetNanoUsd / nanoPerUsd,
  expiresAt: expiresAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
})
