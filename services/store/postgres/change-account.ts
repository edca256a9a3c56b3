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

/** Locks an account before its rows, as everything that changes it does: two changes would otherwise wait for each other. */
export const lockAccount = (tx: Transaction, accountId: string) =>
  tx`select 1 from accounts where id = ${accountId} for no key update`
