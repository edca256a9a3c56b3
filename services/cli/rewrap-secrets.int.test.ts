import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { createVault, type Vault } from '#shared/vault.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { apiKeyContext } from '#store/postgres/credentials/api-keys.ts'
import { createSealedSecretStore, sealedColumns } from '#store/postgres/credentials/sealed-secrets.ts'
import { secureTokenContext } from '#store/postgres/credentials/secure-tokens.ts'
import { rewrapSecrets } from './rewrap-secrets.ts'

const origin = 'https://api.example.com'
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const oldVault = createVault(new Map([[1, oldKey]]))
const newVault = createVault(new Map([[2, newKey]]))
const vault = createVault(new Map([[1, oldKey]]).set(2, newKey))

const { sql, drop } = await createTestDatabase()
afterAll(drop)

let accountId: string
beforeEach(async () => {
  await sql`truncate accounts cascade`
  accountId = await insertAccount(sql)
})

async function addKey(by: Vault, secret: string): Promise<string> {
  const id = uuidv7()
  await sql`
    insert into api_keys (id, account_id, name, sealed_key, masked_key, origin)
    values (${id}, ${accountId}, 'k', ${by.seal(secret, apiKeyContext(accountId, id, origin))}, 'm', ${origin})`
  return id
}

async function addToken(by: Vault, secret: string): Promise<string> {
  const id = uuidv7()
  await sql`
    insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token)
    values (${id}, ${accountId}, 't', ${randomBytes(32)}, ${by.seal(secret, secureTokenContext(accountId, id))}, 'm')`
  return id
}

const openKey = async (by: Vault, id: string) => {
  const [row] = await sql`select sealed_key as sealed from api_keys where id = ${id}`
  return by.open(row!.sealed, apiKeyContext(accountId, id, origin))
}

const rotate = (report: (line: string) => void = () => undefined, batch = 7) =>
  rewrapSecrets({ secrets: createSealedSecretStore(sql), vault, report, batch })

test('every sealed column of the schema is in the table', async () => {
  const columns = await sql<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like 'sealed%' order by 1`
  expect(sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
    columns.map(({ name }) => name),
  )
})

test('all secrets move to the newest master key, and a second run has nothing to do', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, (_, at) => addKey(at % 5 ? oldVault : vault, `key ${at}`)))
  const tokenId = await addToken(oldVault, 'st_token')
  const lines: string[] = []
  expect(await rotate((line) => lines.push(line))).toEqual({ failures: [], left: 0 })
  expect(lines).toContain('api_keys: 16 of 16 secrets rewrapped')
  for (const [at, id] of ids.entries()) expect(await openKey(newVault, id)).toBe(`key ${at}`)
  const [token] = await sql`select sealed_token as sealed from secure_tokens where id = ${tokenId}`
  expect(newVault.open(token!.sealed, secureTokenContext(accountId, tokenId))).toBe('st_token')

  const before = await sql`select id, sealed_key from api_keys order by id`
  expect(await rotate()).toEqual({ failures: [], left: 0 })
  expect(await sql`select id, sealed_key from api_keys order by id`).toEqual(before)
})

test('a secret that cannot be decrypted is reported and left, and all others are rewrapped', async () => {
  const lost = await addKey(createVault(new Map([[9, randomBytes(32)]])), 'lost')
  const moved = await addKey(oldVault, 'moved')
  await sql`update api_keys set origin = 'https://elsewhere.example' where id = ${moved}`
  const fine = await addKey(oldVault, 'fine')
  const { failures, left } = await rotate(undefined, 1)
  expect(failures.map(({ table, id }) => [table, id])).toEqual([
    ['api_keys', lost],
    ['api_keys', moved],
  ])
  expect(failures[0]!.reason).toBe('master key 9 is not configured')
  expect(left).toBe(2)
  expect(await openKey(newVault, fine)).toBe('fine')
})

test('while secrets are changed, added and deleted, nothing is lost', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, (_, at) => addKey(oldVault, `key ${at}`)))
  const expected = new Map(ids.map((id, at) => [id, `key ${at}`]))
  const rotation = new AbortController()

  async function traffic(seed: number) {
    for (let round = seed; !rotation.signal.aborted; round += 3) {
      const id = ids[(round * 7) % ids.length]!
      if (round % 10 === 0) {
        await sql`delete from api_keys where id = ${id}`
        expected.delete(id)
      } else if (expected.has(id)) {
        const secret = `changed ${seed} ${round}`
        const sealed = vault.seal(secret, apiKeyContext(accountId, id, origin))
        const changed = await sql`update api_keys set sealed_key = ${sealed} where id = ${id}`
        if (changed.count > 0) expected.set(id, secret)
      }
      const added = `added ${seed} ${round}`
      expected.set(await addKey(vault, added), added)
    }
  }
  const running = traffic(1)
  await Promise.all([rotate(undefined, 3), rotate(undefined, 5)])
  rotation.abort()
  await running

  expect((await rotate()).left).toBe(0)
  for (const [id, secret] of expected) expect(await openKey(newVault, id)).toBe(secret)
})
