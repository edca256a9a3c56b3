import { Queue } from 'bullmq'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountDeletionQueue } from '#core/queue.ts'
import { openTestApi, Person, type TestApi } from './api.fixture.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

test('an account goes at once with all that Postgres holds, and its logs become a job', async () => {
  const ann = await new Person(api.app).register()
  const { id } = (await ann.call('GET', '/api/user')).json()
  await ann.call('POST', '/api/keys', { name: 'Main', key: 'sk-0123456789abcdef' })
  await ann.call('POST', '/api/tokens', { name: 'Laptop' })
  await ann.call('PATCH', '/api/user/preferences', { theme: 'dark' })
  expect((await ann.call('DELETE', '/api/user/account')).json()).toEqual({ success: true })

  const tables = await api.sql<{ table: string }[]>`
    select table_name as table from information_schema.columns where column_name = 'account_id' and table_schema = 'public'`
  expect(tables.length).toBeGreaterThan(6)
  for (const { table } of tables) {
    expect(await api.sql`select 1 from ${api.sql(table)} where account_id = ${id}`).toHaveLength(0)
  }
  expect(await api.sql`select 1 from accounts where id = ${id}`).toHaveLength(0)

  const queue = new Queue(accountDeletionQueue, { connection: api.queue })
  expect(await queue.getJob(id)).toMatchObject({ name: 'delete-account-logs', data: { accountId: id } })
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
  const again = await new Person(api.app, ann.username).register()
  expect((await again.call('GET', '/api/keys')).json()).toEqual([])
})

test('while the queue is away nothing is deleted, and the answer says so', async () => {
  const ann = await new Person(api.app).register()
  api.queue.disconnect()
  const refused = await ann.call('DELETE', '/api/user/account')
  expect(refused.json()).toMatchObject({ status: 503, code: 'unavailable' })
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(200)
})
