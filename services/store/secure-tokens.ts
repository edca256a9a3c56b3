import type { Sql } from '#core/resources.ts'
import type { LimitsOf } from '#core/plan-limits.ts'
import { Problem } from '#core/problem.ts'
import type { SecretContext } from '#core/vault.ts'
import type { PlanName } from '#schemas/plans.ts'

export interface SecureTokenRow {
  id: string
  name: string
  maskedToken: string
  isActive: boolean
  expiresAt: Date | null
  createdAt: Date
}

export interface NewSecureToken {
  id: string
  name: string
  tokenHash: Buffer
  sealedToken: Buffer
  maskedToken: string
  expiresAt: Date | null
}

/** A token opens only for its account and its record. */
export const secureTokenContext = (accountId: string, recordId: string): SecretContext => ({
  accountId,
  recordId,
  field: 'secure-token',
})

export type SecureTokenStore = ReturnType<typeof createSecureTokenStore>

export const createSecureTokenStore = (sql: Sql, limitsOf: LimitsOf) => ({
  list: (accountId: string): Promise<SecureTokenRow[]> => sql<SecureTokenRow[]>`
    select ${columns(sql)} from secure_tokens where account_id = ${accountId} order by created_at, id`,

  /**
   * Creates a token within the plan's limit. The account row is locked, so parallel calls can't exceed it.
   * @throws Problem `token-limit-reached`
   */
  create: (accountId: string, token: NewSecureToken): Promise<SecureTokenRow> =>
    sql.begin(async (tx) => {
      const [account] = await tx<{ plan: PlanName }[]>`select plan from accounts where id = ${accountId} for update`
      const limit = limitsOf(account!.plan).tokens
      const [held] = await tx<{ count: number }[]>`
        select count(*)::int as count from secure_tokens where account_id = ${accountId}`
      if (limit !== null && held!.count >= limit) throw new Problem('token-limit-reached')
      const [row] = await tx<SecureTokenRow[]>`
        insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token, expires_at)
        values (${token.id}, ${accountId}, ${token.name}, ${token.tokenHash}, ${token.sealedToken},
          ${token.maskedToken}, ${token.expiresAt})
        returning ${columns(sql)}`
      return row!
    }),

  /** @returns undefined when the account has no such token */
  async setActive(accountId: string, id: string, isActive: boolean): Promise<SecureTokenRow | undefined> {
    const [row] = await sql<SecureTokenRow[]>`
      update secure_tokens set is_active = ${isActive} where account_id = ${accountId} and id = ${id}
      returning ${columns(sql)}`
    return row
  },

  /** @returns whether there was such a token */
  async remove(accountId: string, id: string): Promise<boolean> {
    const removed = await sql`delete from secure_tokens where account_id = ${accountId} and id = ${id}`
    return removed.count > 0
  },

  /** The token as the vault sealed it. */
  async getSealed(accountId: string, id: string): Promise<Buffer | undefined> {
    const [row] = await sql<{ sealedToken: Buffer }[]>`
      select sealed_token as "sealedToken" from secure_tokens where account_id = ${accountId} and id = ${id}`
    return row?.sealedToken
  },
})

const columns = (sql: Sql) => sql`
  id, name, masked_token as "maskedToken", is_active as "isActive", expires_at as "expiresAt", created_at as "createdAt"`
