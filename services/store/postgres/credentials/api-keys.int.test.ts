import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { insertAccount, invalidateNothing } from '../account.fixture.ts'
import { createApiKeyStore } from './api-keys.ts'
import { violatedConstraint } from '../constraints.ts'

const source = { clientAddress: null, userAgent: null }
const { sql, drop } = await createTestDatabase()
const keys = createApiKeyStore(sql, invalidateNothing)
afterAll(drop)

const origin = 'https://a.test'
const add = (accountId: string, isPrimary: boolean) =>
  keys.create(
    accountId,
    { id: uuidv7(), name: 'Key', origin, sealedKey: Buffer.from('x'), maskedKey: 'x', isPrimary },
    source,
  )
const primaries = async (accountId: string) => (await keys.list(accountId)).filter(({ isPrimary }) => isPrimary)

test('the first key becomes primary, and so does each that asks for it', async () => {
  const account = await insertAccount(sql)
  const first = await add(account, false)
  expect(first.isPrimary).toBe(true)
  expect((await add(account, false)).isPrimary).toBe(false)
  const third = await add(account, true)
  expect(await primaries(account)).toMatchObject([{ id: third.id }])
})

test('exactly one key is primary, however many are added at once', async () => {
  const account = await insertAccount(sql)
  const added = await Promise.all(Array.from({ length: 20 }, (_, at) => add(account, at % 2 === 0)))
  expect(await primaries(account)).toHaveLength(1)
  await Promise.all(added.map(({ id }) => keys.setPrimary(account, id, source)))
  expect(await primaries(account)).toHaveLength(1)
})

test('an account has at most 100 keys, however many are added at once', async () => {
  const account = await insertAccount(sql)
  const added = await Promise.allSettled(Array.from({ length: 105 }, () => add(account, false)))
  const reasons = added.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
  expect(reasons).toEqual(Array.from({ length: 5 }, () => 'key-limit-reached'))
  expect(await keys.list(account)).toHaveLength(100)
})

test('the database itself rejects a second primary key', async () => {
  const account = await insertAccount(sql)
  await add(account, true)
  await add(account, false)
  const change = sql`update api_keys set is_primary = true where account_id = ${account}`
  expect(await change.catch(violatedConstraint)).toBe('api_keys_one_primary')
})

test('deleting the primary key promotes no other key; requests are tried with the oldest of their origin', async () => {
  const account = await insertAccount(sql)
  const first = await add(account, true)
  const second = await add(account, false)
  expect(await keys.inOrder(account, origin)).toMatchObject([{ id: first.id, isPrimary: true }, { id: second.id }])
  expect(await keys.remove(account, first.id, source)).toBe(true)
  expect(await primaries(account)).toEqual([])
  expect(await keys.inOrder(account, origin)).toMatchObject([{ id: second.id, isPrimary: false }])
  expect(await keys.inOrder(account, 'https://other.example')).toMatchObject([{ id: second.id, origin }])
  expect((await add(account, false)).isPrimary).toBe(false)
})
