import type { Sql } from '#core/stores/postgres.ts'
import type { LimitsOf } from '#shared/plan-limits.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import type { SecretContext } from '#shared/vault.ts'
import type { SecureTokenQuery } from '#schemas/secure-tokens.ts'
import { accountList } from '../account-list.ts'
import { type AuditSource, recordAudit } from '../audit.ts'
import { changeAccount } from '../change-account.ts'

/** Restrictions of a token that the proxy enforces; `null` means none. */
export interface TokenRestrictions {
  models: string[] | null
  allowedAddresses: string[] | null
  requestsPerMinute: number | null
  tokensPerMinute: number | null
  maxConcurrentRequests: number | null
  /** Per UTC day and calendar month. */
  dailyBudgetNanoUsd: number | null
  monthlyBudgetNanoUsd: number | null
  /** Added to each of the token's requests. */
  tags: Record<string, string> | null
}

export const noRestrictions: TokenRestrictions = {
  models: null,
  allowedAddresses: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  maxConcurrentRequests: null,
  dailyBudgetNanoUsd: null,
  monthlyBudgetNanoUsd: null,
  tags: null,
}

export interface SecureTokenRow extends TokenRestrictions {
  id: string
  name: string
  maskedToken: string
  isActive: boolean
  expiresAt: Date | null
  createdAt: Date
  /** Of the last rotation; `null` before the first one. */
  previousMaskedToken: string | null
  previousExpiresAt: Date | null
  previousUsedAt: Date | null
  /** If `null` or past, the account's configuration decides whether bodies are logged. */
  logBodiesUntil: Date | null
}

type SecureTokenPageQuery = SecureTokenQuery & { limit: number }

export interface SecureTokenPage {
  rows: SecureTokenRow[]
  /** Number of tokens that match, on all pages. */
  total: number
  /** Cursor of the next page. */
  next: string | undefined
}

interface TokenSecret {
  tokenHash: Buffer
  sealedToken: Buffer
  maskedToken: string
}

interface NewSecureToken extends TokenSecret, TokenRestrictions {
  id: string
  name: string
  expiresAt: Date | null
}

/** Omitted fields keep their values. */
export type SecureTokenChanges = Partial<TokenRestrictions & { name: string; isActive: boolean }>

/** A token can be decrypted only for its account and record. */
export const secureTokenContext = (accountId: string, recordId: string): SecretContext => ({
  accountId,
  recordId,
  field: 'secure-token',
})

export type SecureTokenStore = ReturnType<typeof createSecureTokenStore>

export function createSecureTokenStore(sql: Sql, invalidate: Invalidate, limitsOf: LimitsOf) {
  const secureTokens = accountList({
    table: 'secure_tokens',
    entry: 'secure-token',
    limitOf: (plan) => limitsOf(plan).tokens,
    limitProblem: 'token-limit-reached',
  })
  return {
    list: (accountId: string): Promise<SecureTokenRow[]> => sql<SecureTokenRow[]>`
    select ${columns(sql)} from secure_tokens where account_id = ${accountId} order by created_at, id`,

    /** @returns the first `limit` tokens after the cursor, in the order of `list` */
    async page(accountId: string, { limit, cursor, search, id }: SecureTokenPageQuery): Promise<SecureTokenPage> {
      const matching = sql`from secure_tokens where account_id = ${accountId}
        ${search ? sql`and position(lower(${search}) in lower(name)) > 0` : sql``}
        ${id ? sql`and id = any(${id}::uuid[])` : sql``}`
      const after = cursor ? sql`and ${isAfter(sql, cursor)}` : sql``
      const [rows, [{ total }]] = await Promise.all([
        sql<(SecureTokenRow & { cursor: string })[]>`
          select ${columns(sql)}, (extract(epoch from created_at) * 1000000)::bigint || '.' || id as cursor
          ${matching} ${after} order by created_at, id limit ${limit + 1}`,
        sql<[{ total: number }]>`select count(*)::int as total ${matching}`,
      ])
      const page = rows.slice(0, limit)
      return { rows: page, total, next: rows.length > limit ? page.at(-1)?.cursor : undefined }
    },

    /** @throws Problem `token-limit-reached` */
    create: (accountId: string, token: NewSecureToken, by: AuditSource): Promise<SecureTokenRow> =>
      sql.begin((tx) =>
        secureTokens.add(
          tx,
          accountId,
          token.name,
          by,
          () => tx<[SecureTokenRow]>`
          insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token, expires_at, models,
            allowed_addresses, requests_per_minute, tokens_per_minute, max_concurrent_requests, daily_budget_nano_usd,
            monthly_budget_nano_usd, tags)
          values (${token.id}, ${accountId}, ${token.name}, ${token.tokenHash}, ${token.sealedToken},
            ${token.maskedToken}, ${token.expiresAt}, ${token.models}, ${token.allowedAddresses},
            ${token.requestsPerMinute}, ${token.tokensPerMinute}, ${token.maxConcurrentRequests},
            ${token.dailyBudgetNanoUsd}, ${token.monthlyBudgetNanoUsd}, ${token.tags && tx.json(token.tags)})
          returning ${columns(sql)}`,
        ),
      ),

    change: (accountId: string, id: string, changes: SecureTokenChanges, by: AuditSource) =>
      changeAccount(sql, invalidate, accountId, async (tx) => {
        const [before] = await tx<SecureTokenRow[]>`
        select ${columns(sql)} from secure_tokens where account_id = ${accountId} and id = ${id} for update`
        if (!before) return undefined
        const after = { ...before, ...changes }
        const [row] = await tx<SecureTokenRow[]>`
        update secure_tokens set name = ${after.name}, is_active = ${after.isActive}, models = ${after.models},
          allowed_addresses = ${after.allowedAddresses}, requests_per_minute = ${after.requestsPerMinute},
          tokens_per_minute = ${after.tokensPerMinute}, max_concurrent_requests = ${after.maxConcurrentRequests},
          daily_budget_nano_usd = ${after.dailyBudgetNanoUsd}, monthly_budget_nano_usd = ${after.monthlyBudgetNanoUsd},
          tags = ${after.tags && tx.json(after.tags)}
        where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`
        await recordAudit(tx, accountId, 'secure-token-changed', after.name, by)
        return row
      }),

    remove: (accountId: string, id: string, by: AuditSource): Promise<boolean> =>
      changeAccount(sql, invalidate, accountId, (tx) => secureTokens.remove(tx, accountId, id, by)),

    /** Replaces the secret. Of the earlier ones, only the last stays valid, for the grace period. */
    rotate: (accountId: string, id: string, secret: TokenSecret, graceHours: number, by: AuditSource) =>
      changeAccount(sql, invalidate, accountId, async (tx) => {
        const [row] = await tx<SecureTokenRow[]>`
        update secure_tokens set previous_token_hash = token_hash, previous_masked_token = masked_token,
          previous_expires_at = now() + ${graceHours} * interval '1 hour', previous_used_at = null,
          token_hash = ${secret.tokenHash}, sealed_token = ${secret.sealedToken}, masked_token = ${secret.maskedToken}
        where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`
        if (row) await recordAudit(tx, accountId, 'secure-token-rotated', row.name, by)
        return row
      }),

    /** Ends the grace period of the last rotation. */
    endPrevious: (accountId: string, id: string, by: AuditSource) =>
      changeAccount(sql, invalidate, accountId, async (tx) => {
        const [row] = await tx<SecureTokenRow[]>`
        update secure_tokens set previous_expires_at = now()
        where account_id = ${accountId} and id = ${id} and previous_expires_at > now() returning ${columns(sql)}`
        if (row) await recordAudit(tx, accountId, 'previous-secret-ended', row.name, by)
        return row
      }),

    /** Logs the token's bodies for this many hours from now; 0 ends it. */
    logBodies: (accountId: string, id: string, hours: number, by: AuditSource) =>
      changeAccount(sql, invalidate, accountId, async (tx) => {
        const [row] = await tx<SecureTokenRow[]>`
        update secure_tokens set log_bodies_until = now() + ${hours} * interval '1 hour'
        where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`
        const action = hours > 0 ? 'token-bodies-logged' : 'token-bodies-ended'
        if (row) await recordAudit(tx, accountId, action, row.name, by)
        return row
      }),

    /** @param open throws if the token can't be decrypted, which is then not recorded as revealed */
    reveal: (accountId: string, id: string, open: (sealed: Buffer) => string, by: AuditSource) =>
      sql.begin(async (tx) => {
        const [row] = await tx<{ name: string; sealedToken: Buffer }[]>`
        select name, sealed_token as "sealedToken" from secure_tokens where account_id = ${accountId} and id = ${id}`
        if (!row) return undefined
        const token = open(row.sealedToken)
        await recordAudit(tx, accountId, 'secure-token-revealed', row.name, by)
        return token
      }),
  }
}

/** Tokens after the cursor, exact to the microsecond of Postgres. */
const isAfter = (sql: Sql, cursor: string) => sql`(created_at, id) > (
  timestamptz 'epoch' + split_part(${cursor}, '.', 1)::bigint * interval '1 microsecond', split_part(${cursor}, '.', 2)::uuid)`

export const restrictionColumns = (sql: Sql) => sql`
  models, allowed_addresses as "allowedAddresses", requests_per_minute as "requestsPerMinute",
  tokens_per_minute as "tokensPerMinute", max_concurrent_requests as "maxConcurrentRequests",
  daily_budget_nano_usd::float8 as "dailyBudgetNanoUsd", monthly_budget_nano_usd::float8 as "monthlyBudgetNanoUsd", tags`

const columns = (sql: Sql) => sql`
  id, name, masked_token as "maskedToken", is_active as "isActive", expires_at as "expiresAt", created_at as "createdAt",
  previous_masked_token as "previousMaskedToken", previous_expires_at as "previousExpiresAt",
  previous_used_at as "previousUsedAt", log_bodies_until as "logBodiesUntil", ${restrictionColumns(sql)}`
