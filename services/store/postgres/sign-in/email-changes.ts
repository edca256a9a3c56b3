import { v7 as uuidv7 } from 'uuid'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { unmatchableHash } from '#shared/passwords.ts'
import { undoEmailHours } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'
import { type AuditSource, recordAudit } from '#store/postgres/audit.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import { hasRows } from '#store/postgres/require-row.ts'
import { redeemLink, revokeLinks } from './one-time-links.ts'
import { insertMail } from '#store/postgres/mails/outbox.ts'
import type { AccountOwner } from '#store/postgres/mails/mail-readers.ts'

export type EmailChangeStore = ReturnType<typeof createEmailChangeStore>

export const createEmailChangeStore = (sql: Sql, invalidate: Invalidate) => ({
  /**
   * Restores the earlier address of an account, and ends every access of an attacker who may have changed it: sessions,
   * the password, and management keys and two-factor sign-in from after the change. The entry of a request for a
   * password reset makes the worker mail a link. The link of the change identifies the account.
   * @throws Problem `link-invalid`, also when an earlier change was undone meanwhile
   */
  async undo(secret: string, by: AuditSource): Promise<void> {
    const restoredId = await sql.begin(async (tx) => {
      const { accountId, email } = await redeemLink(tx, 'email-changed', secret)
      // Also undoes later changes, which the same attacker may have made.
      const [undone] = await tx<{ changedAt: Date }[]>`
        with first as (
          select id, expires_at from email_changes
          where account_id = ${accountId} and old_email_key = ${foldName(email)} and expires_at > now()
          order by id limit 1)
        delete from email_changes c using first where c.account_id = ${accountId} and c.id >= first.id
        returning first.expires_at - ${undoEmailHours} * interval '1 hour' as "changedAt"`
      if (!undone) throw new Problem('link-invalid')
      await tx`
        update accounts set email = ${email}, email_key = ${foldName(email)}, email_confirmed_at = now(),
          password_hash = ${unmatchableHash}
        where id = ${accountId}`
      await tx`delete from sessions where account_id = ${accountId}`
      await revokeLinks(tx, accountId, 'reset-password')
      await recordAudit(tx, accountId, 'email-change-undone', email, by)
      await removeSince(tx, accountId, undone.changedAt, by)
      await recordAudit(tx, accountId, 'password-reset-requested', null, by)
      return accountId
    })
    await invalidate(restoredId)
  },
})

/** Removes what could let an attacker in again, or keep the owner out. */
async function removeSince(tx: Transaction, accountId: string, since: Date, by: AuditSource): Promise<void> {
  const keys = await tx<{ name: string }[]>`
    delete from management_keys where account_id = ${accountId} and created_at >= ${since} returning name`
  for (const { name } of keys) await recordAudit(tx, accountId, 'management-key-deleted', name, by)
  const twoFactor = await tx`delete from two_factor where account_id = ${accountId} and enabled_at >= ${since}`
  if (twoFactor.count > 0) await recordAudit(tx, accountId, 'two-factor-disabled', null, by)
}

/** Mails the old address a link that undoes the change. Call it in the transaction of the change. */
export async function notifyOfEmailChange(
  tx: Transaction,
  accountId: string,
  { recipient, isConfirmed, ...reader }: AccountOwner,
  newEmail: string,
  { clientAddress }: AuditSource,
): Promise<void> {
  if (!isConfirmed) return
  const [change] = await tx<[{ id: string }]>`
    insert into email_changes (id, account_id, old_email, old_email_key, expires_at)
    values (${uuidv7()}, ${accountId}, ${recipient}, ${foldName(recipient)}, now() + ${undoEmailHours} * interval '1 hour')
    returning id`
  const at = new Date().toISOString()
  const content = { kind: 'email-changed' as const, ...reader, newEmail, clientAddress, at }
  await insertMail(tx, accountId, { dedupeKey: change.id, recipient, content })
}

/** True if undoing a change could give the address back to another account. */
export const isReserved = (tx: Transaction, accountId: string, email: string): Promise<boolean> =>
  hasRows(tx`
    select 1 from email_changes
    where old_email_key = ${foldName(email)} and account_id <> ${accountId} and expires_at > now() limit 1`)
