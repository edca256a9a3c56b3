import type { Sql, Transaction } from '#core/stores/postgres.ts'
import { requireRow } from '../require-row.ts'

/** Recipient of an account's mails, and the name and timezone to use in them. */
export interface MailReader {
  recipient: string
  name: string
  timezone: string
}

/** Expects the aliases `accounts a` and `preferences p`; an account may have no preferences. */
export const readerColumns = (sql: Sql | Transaction) => sql`
  a.email as recipient, coalesce(a.first_name, a.username) as name, coalesce(p.timezone, 'UTC') as timezone`

export interface AccountOwner extends MailReader {
  isConfirmed: boolean
}

export async function readerOf(sql: Sql | Transaction, accountId: string): Promise<AccountOwner> {
  const [reader] = await sql<AccountOwner[]>`
    select ${readerColumns(sql)}, a.email_confirmed_at is not null as "isConfirmed"
    from accounts a left join preferences p on p.account_id = a.id where a.id = ${accountId}`
  return requireRow(reader)
}
