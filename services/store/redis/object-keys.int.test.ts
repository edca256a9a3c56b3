import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { whenReady } from '#tools/stack/when-ready.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { openStateRedis } from '#core/redis/connections.ts'
import { day } from '#core/units.ts'
import { createObjectKeyStore } from './object-keys.ts'

const redis = openStateRedis(await createTestRedis(), 10_000)
await whenReady(redis)
const store = createObjectKeyStore(redis, { account: 3, total: 5 })
afterAll(() => redis.disconnect())

const keys = ['primary', 'backup']
let account: string
beforeEach(() => {
  account = randomUUID()
})
const remember = (accountId: string, makerId: string, ids: string[], now?: number) =>
  store.remember(
    accountId,
    ids.map((objectId) => ({ objectId, makerId })),
    now,
  )
const find = (id: string, now?: number) => store.find(account, keys, [id], now)

test('finds the key of an object for 30 days, for its own account only', async () => {
  const now = Date.now()
  await remember(account, 'backup', ['file-1', 'batch_1'], now)
  expect(await store.find(account, keys, ['unknown', 'batch_1'])).toBe('backup')
  expect(await find('file-1', now + 30 * day - 1)).toBe('backup')
  expect(await find('file-1', now + 30 * day)).toBeUndefined()
  expect(await store.find(randomUUID(), keys, ['file-1'])).toBeUndefined()
  expect(await store.find(account, ['primary'], ['file-1'])).toBeUndefined()
})

test('of all who bring the usage of a job, one counts it', async () => {
  await remember(account, 'usage-of-another', ['resp_1'])
  const brought = await Promise.all(Array.from({ length: 20 }, () => store.addUsage(account, 'resp_1')))
  expect(brought.filter(Boolean)).toHaveLength(1)
  expect(await store.addUsage(account, 'resp_1')).toBe(false)
  expect(await store.addUsage(randomUUID(), 'resp_1')).toBe(true)
})

test('an account keeps its newest objects; use makes one new again', async () => {
  const now = Date.now()
  for (const [at, id] of ['a', 'b', 'c', 'a', 'd'].entries()) await remember(account, 'backup', [id], now + at)
  const found = await Promise.all(['a', 'b', 'c', 'd'].map((id) => find(id)))
  expect(found).toEqual(['backup', undefined, 'backup', 'backup'])
})

test('of all accounts, the one that has added nothing for the longest time makes room', async () => {
  const [idle, busy] = [randomUUID(), randomUUID()]
  // Later than everything that the other tests have added.
  const now = Date.now() + 1_000
  await remember(idle, 'primary', ['a', 'b', 'c'], now)
  await remember(busy, 'primary', ['a'], now + 1)
  await remember(account, 'primary', ['a', 'b', 'c'], now + 2)
  expect(await store.find(idle, keys, ['a'])).toBeUndefined()
  expect(await store.find(busy, keys, ['a'])).toBe('primary')
  expect(await find('c')).toBe('primary')
})

test('a forgotten account leaves its room to the others', async () => {
  const [gone, other] = [randomUUID(), randomUUID()]
  // Later than everything that the other tests have added.
  const now = Date.now() + 2_000
  await remember(other, 'primary', ['a', 'b'], now)
  await remember(gone, 'primary', ['a', 'b', 'c'], now + 1)
  await store.forget(gone)
  await store.forget(gone)
  await remember(account, 'primary', ['a', 'b', 'c'], now + 2)
  expect(await store.find(gone, keys, ['a'])).toBeUndefined()
  expect(await store.find(other, keys, ['a'])).toBe('primary')
  expect(await find('c')).toBe('primary')
})
