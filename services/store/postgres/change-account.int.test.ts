import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { insertAccount } from './account.fixture.ts'
import { changeAccount } from './change-account.ts'

const { sql, drop } = await createTestDatabase()
afterAll(drop)

test('caches are invalidated once the change is committed, and not at all when it failed', async () => {
  const id = await insertAccount(sql)
  const seen: unknown[] = []
  const invalidate = async () => void seen.push((await sql`select plan from accounts where id = ${id}`)[0]!.plan)
  await changeAccount(sql, invalidate, id, (tx) => tx`update accounts set plan = 'pro' where id = ${id}`)
  expect(seen).toEqual(['pro'])
  const failing = changeAccount(sql, invalidate, id, async (tx) => {
    await tx`update accounts set plan = 'free' where id = ${id}`
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  expect(seen).toEqual(['pro'])
})
