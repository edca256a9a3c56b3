import { randomBytes } from 'node:crypto'
import { Problem } from '#core/problem.ts'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import { foldName } from '#store/postgres/fold-name.ts'
import { hashToken } from '#shared/secure-token.ts'

export const createInviteStore = (sql: Sql) => ({
  /**
   * @param email if given, only this address may use the code
   * @returns the code; only its hash is stored
   */
  async create({ email, validDays }: { email: string | undefined; validDays: number }): Promise<string> {
    const code = randomBytes(15).toString('base64url')
    await sql`
      insert into invites (code_hash, email_key, expires_at)
      values (${hashToken(code)}, ${email === undefined ? null : foldName(email)},
        now() + ${validDays} * interval '1 day')`
    return code
  },
})

/**
 * Uses up a code for a new account. Call it before the account is created, in the same transaction.
 * @throws Problem `invite-invalid`
 */
export async function takeInvite(tx: Transaction, code: string, accountId: string, email: string): Promise<void> {
  const taken = await tx`
    update invites set used_at = now(), used_by = ${accountId}
    where code_hash = ${hashToken(code)} and used_at is null and expires_at > now()
      and (email_key is null or email_key = ${foldName(email)})`
  if (taken.count === 0) {
    const message = 'This invite code is not valid, was used before or is for another email address'
    throw new Problem('invite-invalid', { errors: [{ field: 'inviteCode', message }] })
  }
}
