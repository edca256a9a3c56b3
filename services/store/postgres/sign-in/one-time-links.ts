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

/** @returns the secret of the link; only its hash is stored */
export async function issueLink(sql: Sql | Transaction, accountId: string, { purpose, email, validMs }: NewLink) {
  const secret = randomBytes(32).toString('base64url')
  await sql`
    insert into one_time_links (secret_hash, account_id, purpose, email, expires_at)
    values (${hashToken(secret)}, ${accountId}, ${purpose}, ${email}, now() + ${validMs} * interval '1 millisecond')`
  return secret
}

/** Checks a link without using it up. @throws Problem `link-invalid` */
export async function requireLink(sql: Sql, purpose: LinkMailKind, secret: string): Promise<void> {
  const found = await sql`select from one_time_links where ${isRedeemable(sql, purpose, secret)}`
  if (found.count === 0) throw new Problem('link-invalid')
}

/** Uses up a link. Call it in the transaction of its effect. @throws Problem `link-invalid` */
export async function redeemLink(tx: Transaction, purpose: LinkMailKind, secret: string) {
  const [link] = await tx<{ accountId: string; email: string }[]>`
    update one_time_links set used_at = now() where ${isRedeemable(tx, purpose, secret)}
    returning account_id as "accountId", email`
  if (!link) throw new Problem('link-invalid')
  return link
}

export async function revokeLinks(tx: Transaction, accountId: string, purpose: LinkMailKind): Promise<void> {
  await tx`delete from one_time_links where account_id = ${accountId} and purpose = ${purpose}`
}

const isRedeemable = (sql: Sql | Transaction, purpose: LinkMailKind, secret: string) => sql`
  secret_hash = ${hashToken(secret)} and purpose = ${purpose} and used_at is null and expires_at > now()`
