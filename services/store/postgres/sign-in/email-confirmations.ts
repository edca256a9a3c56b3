import { Problem } from '#core/problem.ts'
import type { Sql } from '#core/stores/postgres.ts'
import { type AuditSource, recordAudit } from '#store/postgres/audit.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import { redeemLink } from './one-time-links.ts'

export type EmailConfirmationStore = ReturnType<typeof createEmailConfirmationStore>

export const createEmailConfirmationStore = (sql: Sql) => ({
  /** The audit entry makes the worker send the mail. */
  request: (accountId: string, by: AuditSource): Promise<void> =>
    recordAudit(sql, accountId, 'email-confirmation-requested', null, by),

  /**
   * The link identifies the account.
   * @throws Problem `link-invalid`, also if the account now has another address
   */
  confirm: (secret: string, by: AuditSource): Promise<void> =>
    sql.begin(async (tx) => {
      const { accountId, email } = await redeemLink(tx, 'confirm-email', secret)
      const confirmed = await tx`
        update accounts set email_confirmed_at = coalesce(email_confirmed_at, now())
        where id = ${accountId} and email_key = ${foldName(email)}`
      if (confirmed.count === 0) throw new Problem('link-invalid')
      await recordAudit(tx, accountId, 'email-confirmed', email, by)
    }),
})
