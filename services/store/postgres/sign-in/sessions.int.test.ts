import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { insertAccount, invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createSessionStore } from './sessions.ts'

const { sql, drop } = await createTestDatabase()
afterAll(drop)

test('an account has at most 50 sessions; one more ends the oldest, and the audit records it', async () => {
  const account = await insertAccount(sql)
  const sessions = createSessionStore(sql, invalidateNothing)
  const signIn = async (device: string) => {
    const idHash = randomBytes(32)
    const source = { clientAddress: null, userAgent: null }
    await sessions.create(account, 'none', { ...source, idHash, device, network: 'test', deviceHash: idHash })
    return idHash
  }
  const [first, second] = [await signIn('Oldest'), await signIn('Second')]
  for (let count = 2; count < 51; count++) await signIn('Newer')
  expect(await sessions.list(account)).toHaveLength(50)
  expect(await sessions.resolve(first)).toBeUndefined()
  expect(await sessions.resolve(second)).toBeDefined()
  const ended = await sql`
    select subject from audit_entries where account_id = ${account} and action = 'session-ended'`
  expect(ended).toEqual([{ subject: 'Oldest' }])
})
