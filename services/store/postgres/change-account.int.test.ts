import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tools/test/stores.ts'
import { insertAccount } from './account.fixture.ts'
import { changeAccount } from './change-account.ts'

let database: TestDatabase
beforeAll(async () => void (database = await createTestDatabase()))
afterAll(() => database.drop())

test('caches are invalidated once the change is there for everybody, and not at all when it failed', async () => {
  const { sql } = database
  const id = await insertAccount(sql)
  const seen: unknown[] = []
  const invalidate = async () => void seen.push((await sql`select plan from accounts where id = ${id}`)[0]!.plan)
  await changeAccount(sql, invalidate, id, (tx) => tx`update accounts set plan = 'pro' where id = ${id}`)
  expect(seen).toEqual(['pro'])
  const failing = changeAccount(sql, invalidate, id, async (tx) => {
    await tx`update accounts set plan = 'free' where id = ${id}`
    throw new Error('as told')
  })
  await expect(failing).rejects.toThrow('as told')
  expect(seen).toEqual(['pro'])
})
