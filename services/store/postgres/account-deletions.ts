import type { Sql } from '#core/stores/postgres.ts'
import { hasRows } from './require-row.ts'

export type AccountDeletionStore = ReturnType<typeof createAccountDeletionStore>

/** Maximum number of accounts whose logs are removed together. */
const dueAtOnce = 1_000

/** Deleted accounts whose logs remain to be removed. Covers all accounts, because those in it no longer exist. */
export const createAccountDeletionStore = (sql: Sql) => ({
  /** Oldest first. Requests in flight during a deletion are logged shortly after it, so it is due a little later. */
  async due(): Promise<string[]> {
    const rows = await sql<{ accountId: string }[]>`
      select account_id as "accountId" from account_deletions where deleted_at < now() - interval '10 seconds'
      order by deleted_at limit ${dueAtOnce}`
    return rows.map(({ accountId }) => accountId)
  },

  accountExists: (accountId: string): Promise<boolean> => hasRows(sql`select 1 from accounts where id = ${accountId}`),

  async complete(accountId: string): Promise<void> {
    await sql`delete from account_deletions where account_id = ${accountId}`
  },
})

/**
 * Adds those accounts that no longer exist, because their logs have come back from an older backup. None is added to an
 * empty database, which is still to be restored.
 * @returns how many were added
 */
export async function addMissingAccounts(sql: Sql, accountIds: readonly string[]): Promise<number> {
  const added = await sql`
    insert into account_deletions (account_id)
    select id from unnest(${[...accountIds]}::uuid[]) as stored (id)
    where exists (select from accounts) and not exists (select from accounts where accounts.id = stored.id)
    on conflict do nothing`
  return added.count
}
