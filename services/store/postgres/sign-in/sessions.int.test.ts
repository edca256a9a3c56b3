import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tools/test/stores.ts'
import { insertAccount, invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createSessionStore } from './sessions.ts'

let database: TestDatabase
beforeAll(async () => void (database = await createTestDatabase()))
afterAll(() => database.drop())

test('an account is signed in at 50 places; with one more the oldest ends, and the audit says so', async () => {
  const account = await insertAccount(database.sql)
  const sessions = createSessionStore(database.sql, invalidateNothing)
  const signIn = async (device: string) => {
    const idHash = randomBytes(32)
    await sessions.create(account, {
      clientAddress: null,
      userAgent: null,
      idHash,
      device,
      network: 'test',
      deviceHash: idHash,
    })
    return idHash
  }
  const [first, second] = [await signIn('Oldest'), await signIn('Second')]
  for (let count = 2; count < 51; count++) await signIn('Newer')
  expect(await sessions.list(account)).toHaveLength(50)
  expect(await sessions.resolve(first)).toBeUndefined()
  expect(await sessions.resolve(second)).toBeDefined()
  const ended = await database.sql`
    select subject from audit_entries where account_id = ${account} and action = 'session-ended'`
  expect(ended).toEqual([{ subject: 'Oldest' }])
})
