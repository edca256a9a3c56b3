import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tools/test/stores.ts'
import { invalidateNothing } from './account.fixture.ts'
import { createAccountStore } from './accounts.ts'
import { type ApiKeyStore, createApiKeyStore } from './api-keys.ts'
import { violatedConstraint } from './constraints.ts'

const nobody = { clientAddress: null, userAgent: null }
let database: TestDatabase
let keys: ApiKeyStore

beforeAll(async () => {
  database = await createTestDatabase()
  keys = createApiKeyStore(database.sql, invalidateNothing)
})
afterAll(() => database.drop())

async function newAccount(): Promise<string> {
  const username = `person-${randomBytes(4).toString('hex')}`
  const account = { username, email: `${username}@example.test`, passwordHash: 'x', firstName: null, lastName: null }
  const session = { ...nobody, idHash: randomBytes(32), device: 'Test', network: 'test', deviceHash: randomBytes(32) }
  return (
    await createAccountStore(database.sql, invalidateNothing).register(
      { ...account, baseUrl: 'https://a.test' },
      session,
    )
  ).id
}
const add = (accountId: string, isPrimary: boolean) =>
  keys.create(
    accountId,
    { id: uuidv7(), name: 'Key', origin: 'https://a.test', sealedKey: Buffer.from('x'), maskedKey: 'x', isPrimary },
    nobody,
  )
const primaries = async (accountId: string) => (await keys.list(accountId)).filter(({ isPrimary }) => isPrimary)

test('the first key becomes primary, and so does each that is said to be', async () => {
  const account = await newAccount()
  const first = await add(account, false)
  expect(first.isPrimary).toBe(true)
  expect((await add(account, false)).isPrimary).toBe(false)
  const third = await add(account, true)
  expect(await primaries(account)).toMatchObject([{ id: third.id }])
})

test('however many at once, exactly one key is primary', async () => {
  const account = await newAccount()
  const added = await Promise.all(Array.from({ length: 20 }, (_, at) => add(account, at % 2 === 0)))
  expect(await primaries(account)).toHaveLength(1)
  await Promise.all(added.map(({ id }) => keys.setPrimary(account, id, nobody)))
  expect(await primaries(account)).toHaveLength(1)
})

test('an account has room for 100 keys, and exactly for those', async () => {
  const account = await newAccount()
  const added = await Promise.allSettled(Array.from({ length: 105 }, () => add(account, false)))
  const reasons = added.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
  expect(reasons).toEqual(Array.from({ length: 5 }, () => 'key-limit-reached'))
  expect(await keys.list(account)).toHaveLength(100)
})

test('the database itself refuses a second primary key', async () => {
  const account = await newAccount()
  await add(account, true)
  await add(account, false)
  const refused = await database.sql`update api_keys set is_primary = true where account_id = ${account}`.catch(
    violatedConstraint,
  )
  expect(refused).toBe('api_keys_one_primary')
})

test('deleting the primary key promotes nobody', async () => {
  const account = await newAccount()
  const first = await add(account, true)
  await add(account, false)
  expect(await keys.remove(account, first.id, nobody)).toBe(true)
  expect(await primaries(account)).toEqual([])
  expect(await keys.getPrimary(account)).toBeUndefined()
  expect((await add(account, false)).isPrimary).toBe(false)
})
