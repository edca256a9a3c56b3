import { Problem } from '#core/problem.ts'
import type { Sql } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { type AuditSource, recordAudit } from '#store/postgres/audit.ts'
import { rememberDevice } from './device-cookies.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import { redeemLink, requireLink, revokeLinks } from './one-time-links.ts'

interface PasswordReset {
  secret: string
  passwordHash: string
  /** Of the browser that has opened the link, which becomes a known device. */
  deviceHash: Buffer
}

export type PasswordResetStore = ReturnType<typeof createPasswordResetStore>

/** The calls take no account id, because an address or a link identifies the account. */
export const createPasswordResetStore = (sql: Sql, invalidate: Invalidate) => ({
  /** If the address is confirmed, the audit entry makes the worker send a link. */
  request: (email: string, by: AuditSource): Promise<void> =>
    sql.begin(async (tx) => {
      const [account] = await tx<{ id: string }[]>`
        select id from accounts
        where email_key = ${foldName(email)} and email_confirmed_at is not null and disabled_at is null`
      if (account) await recordAudit(tx, account.id, 'password-reset-requested', null, by)
    }),

  /** Costs less than hashing a password, and is not enough: the link may be used up in the meantime. @throws Problem `link-invalid` */
  requireLink: (secret: string): Promise<void> => requireLink(sql, 'reset-password', secret),

  /**
   * Sets the password and ends all sessions.
   * @throws Problem `link-invalid`, also if the account now has another address
   */
  async reset({ secret, passwordHash, deviceHash }: PasswordReset, by: AuditSource): Promise<void> {
    const resetId = await sql.begin(async (tx) => {
      const { accountId, email } = await redeemLink(tx, 'reset-password', secret)
      const reset = await tx`
        update accounts set password_hash = ${passwordHash}
        where id = ${accountId} and email_key = ${foldName(email)} and email_confirmed_at is not null
          and disabled_at is null`
      if (reset.count === 0) throw new Problem('link-invalid')
      await tx`delete from sessions where account_id = ${accountId}`
      await revokeLinks(tx, accountId, 'reset-password')
      await rememberDevice(tx, accountId, deviceHash)
      await recordAudit(tx, accountId, 'password-changed', null, by)
      return accountId
    })
    await invalidate(resetId)
  },
})
