import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { createVault } from '#shared/vault.ts'
import { createTestDatabase } from '#tools/test/stores.ts'
import { insertAccount } from '../account.fixture.ts'
import { requireMasterKeys } from './master-key-check.ts'
import { createSealedSecretStore } from './sealed-secrets.ts'
import { secureTokenContext } from './secure-tokens.ts'

const { sql, drop } = await createTestDatabase()
afterAll(drop)

const [first, second, other] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const secrets = createSealedSecretStore(sql)
type Keys = [version: number, key: Buffer<ArrayBuffer>][]
const check = (keys: Keys, lost: number[] = []) =>
  requireMasterKeys(secrets, { masterKeys: new Map(keys), lostMasterKeys: new Set(lost) })

async function addToken(keys: Keys): Promise<string> {
  const [accountId, id] = [await insertAccount(sql), uuidv7()]
  const sealed = createVault(new Map(keys)).seal('st_token', secureTokenContext(accountId, id))
  await sql`
    insert into secure_tokens (id, account_id, name, token_hash, sealed_token, masked_token)
    values (${id}, ${accountId}, 't', ${randomBytes(32)}, ${sealed}, 'm')`
  return id
}

test('each master key that sealed something has to open it, unless it is lost', async () => {
  await check([[1, first]])
  await addToken([[1, first]])
  for (let count = 0; count < 25; count += 1) await addToken([[2, second]])
  await check([
    [1, first],
    [2, second],
  ])
  await check([[2, second]], [1])
  await expect(check([[2, second]])).rejects.toThrow('master key 1 is missing or wrong')
  await expect(
    check([
      [1, first],
      [2, other],
    ]),
  ).rejects.toThrow('master key 2 is missing or wrong')
})

test('a secret that is damaged does not matter beside others of its master key', async () => {
  const id = await addToken([[2, second]])
  await sql`update secure_tokens set sealed_token = substring(sealed_token for 70) where id = ${id}`
  await check([
    [1, first],
    [2, second],
  ])
})
