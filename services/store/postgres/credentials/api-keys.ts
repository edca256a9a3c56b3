import type { Sql } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import type { SecretContext } from '#shared/vault.ts'
import { accountList } from '../account-list.ts'
import { type AuditSource, recordAudit } from '../audit.ts'
import { changeAccount, lockAccount } from '../change-account.ts'
import { firstRow } from '../require-row.ts'

/** Bounded, because the proxy loads all keys of an account for each request. */
const keysPerAccount = 100

const apiKeys = accountList({
  table: 'api_keys',
  entry: 'api-key',
  limitOf: () => keysPerAccount,
  limitProblem: 'key-limit-reached',
})

export interface ApiKeyRow {
  id: string
  name: string
  maskedKey: string
  /** For which it was entered, see `apiKeyContext`. */
  origin: string
  isActive: boolean
  isPrimary: boolean
  createdAt: Date
  sealedKey: Buffer
}

type NewApiKey = Omit<ApiKeyRow, 'isActive' | 'createdAt'>

/** A key can be decrypted only for its account, its record and the origin for which it was entered. */
export const apiKeyContext = (accountId: string, recordId: string, origin: string): SecretContext => ({
  accountId,
  recordId,
  field: `api-key@${origin}`,
})

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>

export const createApiKeyStore = (sql: Sql, invalidate: Invalidate) => ({
  list: (accountId: string): Promise<ApiKeyRow[]> => sql<ApiKeyRow[]>`
    select ${columns(sql)} from api_keys where account_id = ${accountId} order by created_at, id`,

  /** Active keys as requests to an origin try them, and then those of other origins. */
  inOrder: (accountId: string, origin: string) => sql<
    { id: string; isPrimary: boolean; origin: string; sealedKey: Buffer }[]
  >`
    select id, is_primary as "isPrimary", origin, sealed_key as "sealedKey" from api_keys
    where account_id = ${accountId} and is_active
    order by origin = ${origin} desc, is_primary desc, created_at, id`,

  getSealed: (accountId: string, id: string) =>
    firstRow(sql<{ id: string; origin: string; sealedKey: Buffer }[]>`
      select id, origin, sealed_key as "sealedKey" from api_keys where account_id = ${accountId} and id = ${id}`),

  /**
   * The first key becomes primary; a new primary replaces the old one.
   * @throws Problem `key-limit-reached`
   */
  create: (accountId: string, key: NewApiKey, by: AuditSource): Promise<ApiKeyRow> =>
    changeAccount(sql, invalidate, accountId, (tx) =>
      apiKeys.add(tx, accountId, key.name, by, async (count) => {
        const isPrimary = key.isPrimary || count === 0
        if (isPrimary) await tx`update api_keys set is_primary = false where account_id = ${accountId} and is_primary`
        return tx<[ApiKeyRow]>`
          insert into api_keys (id, account_id, name, sealed_key, masked_key, origin, is_primary)
          values (${key.id}, ${accountId}, ${key.name}, ${key.sealedKey}, ${key.maskedKey},
            ${key.origin}, ${isPrimary})
          returning ${columns(sql)}`
      }),
    ),

  setPrimary: (accountId: string, id: string, by: AuditSource): Promise<ApiKeyRow | undefined> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      await lockAccount(tx, accountId)
      const [key] = await tx`select 1 from api_keys where account_id = ${accountId} and id = ${id} for update`
      if (!key) return undefined
      await tx`update api_keys set is_primary = false where account_id = ${accountId} and is_primary and id <> ${id}`
      const [row] = await tx<[ApiKeyRow]>`
        update api_keys set is_primary = true where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`
      await recordAudit(tx, accountId, 'api-key-made-primary', row.name, by)
      return row
    }),

  rename: (accountId: string, id: string, name: string, by: AuditSource): Promise<ApiKeyRow | undefined> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      const [row] = await tx<ApiKeyRow[]>`
        update api_keys set name = ${name} where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`
      if (row) await recordAudit(tx, accountId, 'api-key-renamed', name, by)
      return row
    }),

  remove: (accountId: string, id: string, by: AuditSource): Promise<boolean> =>
    changeAccount(sql, invalidate, accountId, (tx) => apiKeys.remove(tx, accountId, id, by)),
})

const columns = (sql: Sql) => sql`
  id, name, masked_key as "maskedKey", origin, is_active as "isActive", is_primary as "isPrimary",
  created_at as "createdAt", sealed_key as "sealedKey"`
