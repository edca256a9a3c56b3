import type { Sql } from '#core/stores/postgres.ts'

export type AccountDeletionStore = ReturnType<typeof createAccountDeletionStore>

/** Deleted accounts whose logs remain to be removed. Covers all accounts, because those in it no longer exist. */
export const createAccountDeletionStore = (sql: Sql) => ({
  /** Requests in flight during a deletion are logged shortly after it, so a deletion is due a little later. */
  async due(): Promise<string[]> {
    const rows = await sql<{ accountId: string }[]>`
      select account_id as "accountId" from account_deletions where deleted_at < now() - interval '10 seconds'`
    return rows.map(({ accountId }) => accountId)
  },

  accountExists: async (accountId: string): Promise<boolean> =>
    (await sql`select 1 from accounts where id = ${accountId}`).count > 0,

  async complete(accountId: string): Promise<void> {
    await sql`delete from account_deletions where account_id = ${accountId}`
  },
})
