import { expect, test } from 'vitest'
import { newOwner, photo, writes } from './account-writes.fixture.ts'
import { testApi } from './api.fixture.ts'

const api = await testApi()

const tables = await api.sql<{ name: string }[]>`
  select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'account_id' order by 1`
await api.sql.unsafe(`
  create function reject_audit() returns trigger language plpgsql as $$ begin raise exception 'rejected'; end $$;
  create trigger reject_audit before insert on audit_entries for each row execute function reject_audit();
  alter table audit_entries disable trigger reject_audit`)

const setTrigger = (state: 'enable' | 'disable') =>
  api.sql.unsafe(`alter table audit_entries ${state} trigger reject_audit`)

/** All rows of an account in every table, without the times at which sessions were last seen. */
const everythingOf = (accountId: string) =>
  Promise.all([
    api.sql`select * from accounts where id = ${accountId}`,
    ...tables.map(
      ({ name }) => api.sql`
        select to_jsonb(t) - 'last_seen_at' as row from ${api.sql(name)} t
        where account_id = ${accountId} order by to_jsonb(t)::text`,
    ),
  ])

/** An unconfirmed secret has no effect, so it has no audit entry. */
const unwritten = ['two-factor']

test.each(writes.filter(([name]) => !unwritten.includes(name)))(
  '%s is rolled back without an audit entry',
  async (_name, write) => {
    const owner = await newOwner(api)
    await owner.user.call('PUT', '/api/user/photo', await photo(), { 'content-type': 'image/png' })
    const before = await everythingOf(owner.accountId)
    await setTrigger('enable')
    const response = await write(owner).finally(() => setTrigger('disable'))
    expect(response.json()).toMatchObject({ status: 500, code: 'internal-error' })
    expect(await everythingOf(owner.accountId)).toEqual(before)
    expect((await write(owner)).statusCode).toBeLessThan(300)
  },
)

test('a registration is rolled back without an audit entry, and can be retried', async () => {
  const ann = api.user()
  await setTrigger('enable')
  await expect(ann.register().finally(() => setTrigger('disable'))).rejects.toThrow('internal-error')
  expect((await ann.signIn()).statusCode).toBe(401)
  await ann.register()
})
