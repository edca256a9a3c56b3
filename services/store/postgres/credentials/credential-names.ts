import type { Sql, Transaction } from '#core/stores/postgres.ts'

/** By id; a deleted credential has none. */
export type CredentialNames = ReadonlyMap<string, string>

export async function readCredentialNames(sql: Sql | Transaction, accountId: string): Promise<CredentialNames> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from secure_tokens where account_id = ${accountId}
    union all select id, name from api_keys where account_id = ${accountId}`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
