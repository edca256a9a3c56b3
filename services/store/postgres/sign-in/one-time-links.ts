import { randomBytes } from 'node:crypto'
import { Problem } from '#core/problem.ts'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { LinkMailKind } from '#schemas/mails.ts'
import { hashToken } from '#shared/secure-token.ts'

export interface NewLink {
  purpose: LinkMailKind
  email: string
  validMs: number
}

/** Also deletes expired links of the account. @returns the secret of the link; only its hash is stored */
export async function issueLink(sql: Sql | Transaction, accountId: string, { purpose, email, validMs }: NewLink) {
  const secret = randomBytes(32).toString('base64url')
  await sql`delete from one_time_links where account_id = ${accountId} and expires_at < now()`
  await sql`
    insert into one_time_links (secret_hash, account_id, purpose, email, expires_at)
    values (${hashToken(secret)}, ${accountId}, ${purpose}, ${email}, now() + ${validMs} * interval '1 millisecond')`
  return secret
}

/** Uses up a link. Call it in the transaction of its effect. @throws Problem `link-invalid` */
export async function redeemLink(tx: Transaction, purpose: LinkMailKind, secret: string) {
  const [link] = await tx<{ accountId: string; email: string }[]>`
    update one_time_links set used_at = now()
    where secret_hash = ${hashToken(secret)} and purpose = ${purpose} and used_at is null and expires_at > now()
    returning account_id as "accountId", email`
  if (!link) throw new Problem('link-invalid')
  return link
}

export async function revokeLinks(tx: Transaction, accountId: string, purpose: LinkMailKind): Promise<void> {
  await tx`delete from one_time_links where account_id = ${accountId} and purpose = ${purpose}`
}
