import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#core/stores/postgres.ts'
import { hashToken, mintToken } from '#shared/secure-token.ts'
import type { Vault } from '#shared/vault.ts'
import { apiKeyContext } from '#store/postgres/credentials/api-keys.ts'
import { secureTokenContext } from '#store/postgres/credentials/secure-tokens.ts'

/** A limit that is never reached; every request is still counted against it. */
export const neverReached = 2_000_000_000

/** The maximum of a token's limits. */
const mostAMinute = 999_999_999

export interface BenchAccount {
  name: string
  plan: 'basic' | 'enterprise'
  /** Whether requests per minute are limited. The API rejects such a high limit, so it is written to the database. */
  isLimited: boolean
  /** Whether the token itself has a budget and two limits. */
  hasBudget: boolean
}

/** @returns a token of the account */
export async function seedAccount(
  sql: Sql,
  vault: Vault,
  upstream: string,
  { name, plan, isLimited, hasBudget }: BenchAccount,
): Promise<string> {
  const [accountId, keyId, tokenId, token] = [uuidv7(), uuidv7(), uuidv7(), mintToken()]
  const origin = new URL(upstream).origin
  const sealedKey = vault.seal('sk-bench', apiKeyContext(accountId, keyId, origin))
  const sealedToken = vault.seal(token, secureTokenContext(accountId, tokenId))
  const email = `${name}@example.com`
  await sql`
    insert into accounts (id, username, username_key, email, email_key, password_hash, plan)
    values (${accountId}, ${name}, ${name}, ${email}, ${email}, 'none', ${plan})`
  await sql`alter table proxy_configs drop constraint if exists proxy_configs_max_requests_per_minute_check`
  await sql`
    insert into proxy_configs (account_id, base_url, rate_limit_enabled, max_requests_per_minute)
    values (${accountId}, ${`${upstream}/v1`}, ${isLimited}, ${neverReached})`
  await sql`
    insert into api_keys (id, account_id, name, sealed_key, masked_key, origin, is_primary)
    values (${keyId}, ${accountId}, 'bench', ${sealedKey}, 'sk-…', ${origin}, true)`
  await sql`
    insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token)
    values (${tokenId}, ${accountId}, 'bench', ${hashToken(token)}, ${sealedToken}, 'st_…')`
  if (hasBudget) {
    await sql`
      update secure_tokens
      set requests_per_minute = ${mostAMinute}, tokens_per_minute = ${mostAMinute}, daily_budget_nano_usd = ${1e15}
      where id = ${tokenId}`
  }
  return token
}
