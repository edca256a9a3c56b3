import type { Sql, Transaction } from '#core/resources.ts'
import type { AuditSource } from './audit.ts'
import { requireRow } from './require-row.ts'
import { insertMail } from './outbox.ts'

/** Where mails of an account go, and in whose name and timezone they are written. */
export interface MailReader {
  recipient: string
  name: string
  timezone: string
  /** Whether its owner said that the address belongs to this account: no other one is written to. */
  isConfirmed: boolean
}

export async function readerOf(sql: Sql | Transaction, accountId: string): Promise<MailReader> {
  const [reader] = await sql<MailReader[]>`
    select a.email as recipient, coalesce(a.first_name, a.username) as name, coalesce(p.timezone, 'UTC') as timezone,
      a.email_confirmed_at is not null as "isConfirmed"
    from accounts a left join preferences p on p.account_id = a.id where a.id = ${accountId}`
  return requireRow(reader)
}

/** Call it in the transaction that deletes the account, and before it does. The mail outlives the account. */
export async function tellOfDeletion(
  tx: Transaction,
  accountId: string,
  { clientAddress }: AuditSource,
): Promise<void> {
  const { recipient, isConfirmed, ...reader } = await readerOf(tx, accountId)
  if (!isConfirmed) return
  const content = { kind: 'account-deleted' as const, ...reader, clientAddress, at: new Date().toISOString() }
  await insertMail(tx, null, { dedupeKey: accountId, recipient, content })
}
