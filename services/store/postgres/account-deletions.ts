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
