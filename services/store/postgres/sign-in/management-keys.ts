import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#core/stores/postgres.ts'
import type { User } from '#schemas/account.ts'
import type { ManagementScope, NewManagementKey } from '#schemas/management-keys.ts'
import { product } from '#schemas/product.ts'
import { maskSecret } from '#schemas/secrets.ts'
import { hashToken, mintToken } from '#shared/secure-token.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { accountList } from '../account-list.ts'
import type { AuditSource } from '../audit.ts'
import { changeAccount } from '../change-account.ts'
import { hasRows } from '../require-row.ts'
import { userColumns } from '../user-columns.ts'
import { holdSession } from './sessions.ts'
import type { SignedIn } from './signed-in.ts'

export interface ManagementKeyRow {
  id: string
  name: string
  maskedKey: string
  scopes: ManagementScope[]
  expiresAt: Date
  createdAt: Date
  lastUsedAt: Date | null
}

type FoundManagementKey = Omit<SignedIn, 'isConfirmed'> & { scopes: ManagementScope[] }

const managementKeys = accountList({ table: 'management_keys', entry: 'management-key', limitOf: () => 20 })

export type ManagementKeyStore = ReturnType<typeof createManagementKeyStore>

export const createManagementKeyStore = (sql: Sql, invalidate: Invalidate) => ({
  list: (accountId: string): Promise<ManagementKeyRow[]> => sql<ManagementKeyRow[]>`
    select ${columns(sql)} from management_keys where account_id = ${accountId} order by created_at, id`,

  /**
   * @returns the row and the key; the key is not stored
   * @throws Problem `limit-reached`
   */
  async create(accountId: string, { name, scopes, days }: NewManagementKey, by: AuditSource) {
    const key = mintToken(product.managementKeyPrefix)
    const row = await sql.begin((tx) =>
      managementKeys.add(tx, accountId, name, by, async () => {
        await holdSession(tx, accountId, by)
        return tx<[ManagementKeyRow]>`
            insert into management_keys (id, account_id, name, key_hash, masked_key, scopes, expires_at)
            values (${uuidv7()}, ${accountId}, ${name}, ${hashToken(key)}, ${maskSecret(key)}, ${scopes},
              now() + ${days} * interval '1 day')
            returning ${columns(sql)}`
      }),
    )
    return { row, key }
  },

  remove: (accountId: string, id: string, by: AuditSource): Promise<boolean> =>
    changeAccount(sql, invalidate, accountId, (tx) => managementKeys.remove(tx, accountId, id, by)),

  /** Takes no account id, because the key identifies it. Marks the key as used, at most once a minute. */
  async resolve(keyHash: Buffer): Promise<FoundManagementKey | undefined> {
    const [row] = await sql<(User & KeyOfUser)[]>`
      select ${userColumns(sql)}, k.id as "keyId", k.name as "keyName", k.scopes,
        coalesce(k.last_used_at < now() - interval '1 minute', true) as "isStale"
      from management_keys k join accounts on accounts.id = k.account_id
      where k.key_hash = ${keyHash} and k.expires_at > now() and accounts.disabled_at is null`
    if (!row) return undefined
    const { keyId, keyName, scopes, isStale, ...user } = row
    if (isStale) await sql`update management_keys set last_used_at = now() where key_hash = ${keyHash}`
    return { user, credential: { kind: 'management-key', id: keyId, name: keyName }, scopes }
  },

  /** True if the key is still valid. The check does not count as use. */
  isLive: (accountId: string, id: string): Promise<boolean> =>
    hasRows(sql`
      select from management_keys k join accounts a on a.id = k.account_id
      where k.account_id = ${accountId} and k.id = ${id} and k.expires_at > now() and a.disabled_at is null`),
})

type KeyOfUser = { keyId: string; keyName: string; scopes: ManagementScope[]; isStale: boolean }

const columns = (sql: Sql) => sql`
  id, name, masked_key as "maskedKey", scopes, expires_at as "expiresAt", created_at as "createdAt",
  last_used_at as "lastUsedAt"`
