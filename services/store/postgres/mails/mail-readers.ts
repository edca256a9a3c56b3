import type { Sql, Transaction } from '#core/stores/postgres.ts'
import { requireRow } from '../require-row.ts'

/** Recipient of an account's mails, with the name and the timezone to write them in. */
export interface MailReader {
  recipient: string
  name: string
  timezone: string
}

/** Of `accounts a` and its `preferences p`, if it has any. */
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
