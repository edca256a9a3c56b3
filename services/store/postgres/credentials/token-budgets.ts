import type { Sql } from '#core/stores/postgres.ts'
import { type MailReader, readerColumns } from '../mails/mail-readers.ts'

export interface TokenBudget {
  tokenId: string
  dailyBudgetNanoUsd: number | null
  monthlyBudgetNanoUsd: number | null
}

export interface TokenBudgets extends MailReader, TokenBudget {
  accountId: string
  token: string
}

export type TokenBudgetStore = ReturnType<typeof createTokenBudgetStore>

export const createTokenBudgetStore = (sql: Sql) => ({
  /** Tokens with a budget whose owners want to be notified. No connection is held between batches. */
  async *batches(size = 1_000): AsyncGenerator<TokenBudgets[]> {
    let last: TokenBudgets | undefined
    do {
      const batch = await sql<TokenBudgets[]>`
        select t.account_id as "accountId", t.id as "tokenId", t.name as token,
          t.daily_budget_nano_usd::float8 as "dailyBudgetNanoUsd",
          t.monthly_budget_nano_usd::float8 as "monthlyBudgetNanoUsd", ${readerColumns(sql)}
        from secure_tokens t join accounts a on a.id = t.account_id left join preferences p on p.account_id = a.id
        where (t.daily_budget_nano_usd > 0 or t.monthly_budget_nano_usd > 0) and a.disabled_at is null
          and a.email_confirmed_at is not null and coalesce(p.email_notifications, true)
          and ${last ? sql`(t.account_id, t.id) > (${last.accountId}, ${last.tokenId})` : sql`true`}
        order by t.account_id, t.id limit ${size}`
      yield batch
      last = batch.length < size ? undefined : batch.at(-1)
    } while (last)
  },

  list: (accountId: string, limit: number): Promise<TokenBudget[]> => sql<TokenBudget[]>`
    select id as "tokenId", daily_budget_nano_usd::float8 as "dailyBudgetNanoUsd",
      monthly_budget_nano_usd::float8 as "monthlyBudgetNanoUsd"
    from secure_tokens
    where account_id = ${accountId} and (daily_budget_nano_usd > 0 or monthly_budget_nano_usd > 0)
    order by id limit ${limit}`,
})
