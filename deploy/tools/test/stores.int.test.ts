import { afterAll, expect, test } from 'vitest'
import { openQueueConsumer } from '#core/redis/connections.ts'
import { createTestClickHouse, createTestDatabase, createTestRedis } from './stores.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(cleanups.map((cleanup) => cleanup())))

test('a test database has the newest schema and is not shared', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()])
  cleanups.push(first.drop, second.drop)
  await first.sql`create table mine (id int)`
  expect(await first.sql`select to_regclass('accounts') is not null as there`).toEqual([{ there: true }])
  expect(await second.sql`select to_regclass('mine') is not null as there`).toEqual([{ there: false }])
})

test('a test ClickHouse has the newest schema', async () => {
  const { clickhouse, drop } = await createTestClickHouse()
  cleanups.push(drop)
  const rows = await clickhouse.query({ query: 'SELECT count() AS total FROM request_logs', format: 'JSONEachRow' })
  expect(await rows.json()).toEqual([{ total: 0 }])
})

test('test Redis databases are empty and separate', async () => {
  const urls = await createTestRedis()
  const [state, queue] = [urls.redisStateUrl, urls.redisQueueUrl].map((redisQueueUrl) =>
    openQueueConsumer({ redisQueueUrl }),
  )
  await state!.set('mine', '1')
  expect(await queue!.exists('mine')).toBe(0)
  await createTestRedis()
  expect(await state!.dbsize()).toBe(0)
  state!.disconnect()
  queue!.disconnect()
})
