import type { Sql } from '#core/stores/postgres.ts'
import type { OwnModelPrice } from '#schemas/own-model-prices.ts'
import type { PlanName } from '#schemas/plan-name.ts'
import type { ProxyConfig } from '#schemas/proxy-config.ts'
import { longPromptsColumn } from '../model-prices.ts'
import { configColumns } from '../proxy-configs.ts'
import { firstRow } from '../require-row.ts'
import { noRestrictions, restrictionColumns, type TokenRestrictions } from './secure-tokens.ts'
import { isSessionValid } from '../sign-in/sessions.ts'

/** The credential of a request and its account: all that the proxy needs, in one look-up. */
export interface Credential extends ProxyConfig, TokenRestrictions {
  accountId: string
  /** `null` for a session. */
  tokenId: string | null
  /** True if the token was rotated and the credential is its previous secret. */
  isPreviousSecret: boolean
  /** False if the token or its account is disabled. */
  isActive: boolean
  /** Expiry of the token or, if that is sooner, of its previous secret. */
  expiresAt: Date | null
  /** Until this time, the token's bodies are logged even if the account logs none. */
  logBodiesUntil: Date | null
  plan: PlanName
  modelPrices: readonly OwnModelPrice[]
  /** Active keys: the primary first, then the oldest. */
  keys: { id: string; origin: string; sealedKey: string }[]
}

export type CredentialStore = ReturnType<typeof createCredentialStore>

export const createCredentialStore = (sql: Sql) => ({
  /** These calls take no account id, because a token or a session identifies the account. */
  findByTokenHash: (tokenHash: Buffer) =>
    firstRow(sql<Credential[]>`
      select t.id as "tokenId", t.token_hash <> ${tokenHash} as "isPreviousSecret",
        t.is_active and a.disabled_at is null as "isActive",
        least(t.expires_at, case when t.token_hash <> ${tokenHash} then t.previous_expires_at end) as "expiresAt",
        t.log_bodies_until as "logBodiesUntil", ${restrictionColumns(sql)}, ${accountColumns(sql)}
      from secure_tokens t join accounts a on a.id = t.account_id join proxy_configs c on c.account_id = a.id
      where t.token_hash = ${tokenHash} or (t.previous_token_hash = ${tokenHash} and t.previous_expires_at > now())`),

  /** Called at each look-up, not at each request: proxies cache credentials for a few seconds. */
  async recordPreviousUse(tokenHash: Buffer): Promise<void> {
    await sql`update secure_tokens set previous_used_at = now() where previous_token_hash = ${tokenHash}`
  },

  findBySessionHash: async (idHash: Buffer): Promise<Credential | undefined> => {
    const account = await firstRow(sql<SessionCredential[]>`
      select ${accountColumns(sql)}
      from sessions s join accounts a on a.id = s.account_id join proxy_configs c on c.account_id = a.id
      where s.id_hash = ${idHash} and a.disabled_at is null and ${isSessionValid(sql)}`)
    return account && { ...account, ...sessionFields }
  },
})

type SessionCredential = Omit<Credential, keyof typeof sessionFields>

const sessionFields = {
  tokenId: null,
  isPreviousSecret: false,
  isActive: true,
  expiresAt: null,
  logBodiesUntil: null,
  ...noRestrictions,
}

/** `sealedKey` is hexadecimal. */
const accountColumns = (sql: Sql) => sql`
  a.id as "accountId", a.plan, ${configColumns(sql)},
  coalesce((
    select json_agg(json_build_object('id', k.id, 'origin', k.origin, 'sealedKey', encode(k.sealed_key, 'hex'))
      order by k.is_primary desc, k.created_at, k.id)
    from api_keys k where k.account_id = a.id and k.is_active
  ), '[]'::json) as keys,
  coalesce((
    select json_agg(json_build_object('pattern', p.pattern, 'input', p.input, 'cachedInput', p.cached_input,
      'output', p.output, 'perRequest', p.per_request, 'cacheWrite', p.cache_write, 'audioInput', p.audio_input,
      'longPrompts', ${longPromptsColumn(sql)}))
    from model_prices p where p.account_id = a.id
  ), '[]'::json) as "modelPrices"`
