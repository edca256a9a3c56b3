import type { Sql } from '#core/stores/postgres.ts'
import type { SecretContext } from '#shared/vault.ts'
import { webhookContext } from '../alerts/webhooks.ts'
import { apiKeyContext } from './api-keys.ts'
import { secureTokenContext } from './secure-tokens.ts'
import { hasRows } from '../require-row.ts'
import { twoFactorContext } from '../sign-in/two-factor.ts'

interface SealedSecret {
  id: string
  sealed: Buffer
  context: SecretContext
}

interface SealedColumn {
  table: string
  /** Primary key, a UUID. */
  key: string
  column: string
  /** Column that the secret is bound to besides its account; otherwise the same as `key`. */
  boundTo: string
  context(accountId: string, id: string, boundTo: string): SecretContext
}

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'api_keys', key: 'id', column: 'sealed_key', boundTo: 'origin', context: apiKeyContext },
  { table: 'secure_tokens', key: 'id', column: 'sealed_token', boundTo: 'id', context: secureTokenContext },
  { table: 'two_factor', key: 'account_id', column: 'sealed_secret', boundTo: 'account_id', context: twoFactorContext },
  { table: 'webhooks', key: 'id', column: 'sealed_secret', boundTo: 'id', context: webhookContext },
]

/** A sample has this many of the newest and of the oldest secrets. */
const sampleSize = 10

interface SealedRow {
  id: string
  accountId: string
  boundTo: string
  sealed: Buffer
}

const toSecret =
  ({ context }: SealedColumn) =>
  ({ id, accountId, boundTo, sealed }: SealedRow): SealedSecret => ({
    id,
    sealed,
    context: context(accountId, id, boundTo),
  })

export type SealedSecretStore = ReturnType<typeof createSealedSecretStore>

export function createSealedSecretStore(sql: Sql) {
  /** The second byte of a sealed secret is the version of its master key. */
  const isOutdated = (column: string, sealingVersion: number) =>
    sql`substring(${sql(column)} from 2 for 1) <> ${Buffer.from([sealingVersion])}`

  const selected = ({ table, key, column, boundTo }: SealedColumn) => sql`
    select ${sql(key)} as id, account_id as "accountId", ${sql(boundTo)} as "boundTo", ${sql(column)} as sealed
    from ${sql(table)}`

  return {
    /** The next secrets, by id, whose data key was wrapped with a master key other than the sealing one. */
    async findOutdated(
      sealedColumn: SealedColumn,
      sealingVersion: number,
      { after, limit }: { after: string; limit: number },
    ): Promise<SealedSecret[]> {
      const { key, column } = sealedColumn
      const rows = await sql<SealedRow[]>`
      ${selected(sealedColumn)} where ${sql(key)} > ${after} and ${isOutdated(column, sealingVersion)}
      order by ${sql(key)} limit ${limit}`
      return rows.map(toSecret(sealedColumn))
    },

    /** The newest and the oldest secrets. */
    async sample(sealedColumn: SealedColumn): Promise<SealedSecret[]> {
      const key = sql(sealedColumn.key)
      const rows = await sql<SealedRow[]>`
      (${selected(sealedColumn)} order by ${key} desc limit ${sampleSize}) union all
      (${selected(sealedColumn)} order by ${key} limit ${sampleSize})`
      return rows.map(toSecret(sealedColumn))
    },

    async countOutdated({ table, column }: SealedColumn, sealingVersion: number): Promise<number> {
      const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from ${sql(table)} where ${isOutdated(column, sealingVersion)}`
      return row.count
    },

    /** @returns false when the secret was changed or removed meanwhile */
    replace: ({ table, key, column }: SealedColumn, { id, sealed }: SealedSecret, rewrapped: Buffer) =>
      hasRows(sql`
        update ${sql(table)} set ${sql(column)} = ${rewrapped} where ${sql(key)} = ${id} and ${sql(column)} = ${sealed}`),
  }
}
