import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { AuditSource } from '../audit.ts'
import { requireRow } from '../require-row.ts'
import { insertMail } from './outbox.ts'

/** Recipient of an account's mails, with the name and the timezone to write them in. */
export interface MailReader {
  recipient: string
  name: string
  timezone: string
  isConfirmed: boolean
}

export async function readerOf(sql: Sql | Transaction, accountId: string): Promise<MailReader> {
  const [reader] = await sql<MailReader[]>`
    select a.email as recipient, coalesce(a.first_name, a.username) as name, coalesce(p.timezone, 'UTC') as timezone,
      a.email_confirmed_at is not null as "isConfirmed"
    from accounts a left join preferences p on p.account_id = a.id where a.id = ${accountId}`
  return requireRow(reader)
}

/** Call it in the transaction that deletes the account, before the deletion. */
export async function notifyOfDeletion(tx: Transaction, accountId: string, { clientAddress }: AuditSource) {
  const { recipient, isConfirmed, ...reader } = await readerOf(tx, accountId)
  if (!isConfirmed) return
  const content = { kind: 'account-deleted' as const, ...reader, clientAddress, at: new Date().toISOString() }
  await insertMail(tx, null, { dedupeKey: accountId, recipient, content })
}
