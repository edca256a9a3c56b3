import { hash, randomBytes } from 'node:crypto'
import type { Sql, Transaction } from '#core/resources.ts'
import { undoEmailHours } from '#schemas/account.ts'
import { type Origin, recordAudit } from '#store/postgres/audit.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import { revokeLinks } from './one-time-links.ts'
import { insertMail } from '#store/postgres/outbox.ts'
import type { MailReader } from '#store/postgres/owner-mails.ts'

export type EmailChangeStore = ReturnType<typeof createEmailChangeStore>

export const createEmailChangeStore = (sql: Sql) => ({
  /**
   * Gives an account its earlier address back, and ends all its sessions. A call without an account: it is how a link
   * finds it.
   * @returns the account's id; undefined when the link was used before, or is too old
   */
  undo: (token: string, by: Origin): Promise<string | undefined> =>
    sql.begin(async (tx) => {
      const [change] = await tx<{ id: string; accountId: string; email: string }[]>`
        delete from email_changes where token_hash = ${hashOf(token)} and expires_at > now()
        returning id, account_id as "accountId", old_email as email`
      if (!change) return undefined
      const { id, accountId, email } = change
      await tx`update accounts set email = ${email}, email_key = ${foldName(email)}, email_confirmed_at = now() where id = ${accountId}`
      // Links to what the address was changed to later are in the wrong hands.
      await tx`delete from email_changes where account_id = ${accountId} and id > ${id}`
      await tx`delete from sessions where account_id = ${accountId}`
      await revokeLinks(tx, accountId, 'reset-password')
      await recordAudit(tx, accountId, 'email-change-undone', email, by)
      return accountId
    }),
})

/** Tells the old address, with a link that undoes the change; call it with the transaction that makes the change. */
export async function tellOfEmailChange(
  tx: Transaction,
  accountId: string,
  { recipient, isConfirmed, ...reader }: MailReader,
  newEmail: string,
  { clientAddress }: Origin,
): Promise<void> {
  if (!isConfirmed) return
  const token = randomBytes(32).toString('base64url')
  await tx`delete from email_changes where expires_at < now()`
  const [change] = await tx<{ id: string }[]>`
    insert into email_changes (account_id, token_hash, old_email, old_email_key, expires_at)
    values (${accountId}, ${hashOf(token)}, ${recipient}, ${foldName(recipient)},
      now() + ${undoEmailHours} * interval '1 hour')
    returning id`
  const at = new Date().toISOString()
  const content = { kind: 'email-changed' as const, ...reader, newEmail, clientAddress, at, token }
  await insertMail(tx, accountId, { occasion: change!.id, recipient, content })
}

/** Whether an address may go back to another account than this one. */
export async function isReserved(tx: Transaction, accountId: string, email: string): Promise<boolean> {
  const rows = await tx`
    select 1 from email_changes
    where old_email_key = ${foldName(email)} and account_id <> ${accountId} and expires_at > now() limit 1`
  return rows.length > 0
}

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')
