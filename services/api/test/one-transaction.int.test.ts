import { beforeAll, expect, test } from 'vitest'
import { newOwner, photo, writes } from './account-writes.fixture.ts'
import { testApi } from './api.fixture.ts'

let tables: string[]

const api = await testApi()

beforeAll(async () => {
  const rows = await api.sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id' order by 1`
  tables = rows.map(({ name }) => name)
  await api.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'as told'; end $$;
    create trigger refuse before insert on audit_entries for each row execute function refuse();
    alter table audit_entries disable trigger refuse`)
})

const switchRefusal = (state: 'enable' | 'disable') =>
  api.sql.unsafe(`alter table audit_entries ${state} trigger refuse`)

/** Every row of an account, in all tables. That a session was seen is no change. */
const everythingOf = (accountId: string) =>
  Promise.all([
    api.sql`select * from accounts where id = ${accountId}`,
    ...tables.map(
      (table) => api.sql`
        select to_jsonb(t) - 'last_seen_at' as row from ${api.sql(table)} t
        where account_id = ${accountId} order by to_jsonb(t)::text`,
    ),
  ])

/** A secret that nobody has confirmed yet changes nothing, so nothing is written of it. */
const unwritten = ['two-factor']

test.each(writes.filter(([name]) => !unwritten.includes(name)))(
  '%s: what can not be written into the history is not done at all',
  async (_name, write) => {
    const owner = await newOwner(api)
    await owner.user.call('PUT', '/api/user/photo', await photo(), { 'content-type': 'image/png' })
    const before = await everythingOf(owner.accountId)
    await switchRefusal('enable')
    const response = await write(owner).finally(() => switchRefusal('disable'))
    expect(response.json()).toMatchObject({ status: 500, code: 'internal-error' })
    expect(await everythingOf(owner.accountId)).toEqual(before)
    expect((await write(owner)).statusCode).toBeLessThan(300)
  },
)

test('who can not be written into the history is not registered, and can try again', async () => {
  const ann = api.user()
  await switchRefusal('enable')
  await expect(ann.register().finally(() => switchRefusal('disable'))).rejects.toThrow('internal-error')
  expect((await ann.signIn()).statusCode).toBe(401)
  await ann.register()
})
