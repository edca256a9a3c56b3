import type { Invalidate } from '#shared/invalidation.ts'
import type { Sql, Transaction } from '#core/stores/postgres.ts'

/** Runs a transaction that changes an account, and invalidates its caches once the transaction is committed. */
export async function changeAccount<T>(
  sql: Sql,
  invalidate: Invalidate,
  accountId: string,
  change: (tx: Transaction) => Promise<T>,
) {
  const result = await sql.begin(change)
  await invalidate(accountId)
  return result
}
