import type { Sql, Transaction } from '#core/stores/postgres.ts'

/** By id; a credential that was deleted has none. */
export type CredentialNames = ReadonlyMap<string, string>

/** Names of the account's tokens and API keys. */
export async function readCredentialNames(sql: Sql | Transaction, accountId: string): Promise<CredentialNames> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from secure_tokens where account_id = ${accountId}
    union all select id, name from api_keys where account_id = ${accountId}`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
