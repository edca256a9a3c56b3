import type { Invalidate } from '#shared/invalidation.ts'
import type { Sql, Transaction } from '#core/resources.ts'

/** A transaction that changes an account. Once it is committed, and not before, caches of the account are invalidated. */
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
