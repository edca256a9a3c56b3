import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { insertAccount, invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createInviteStore } from './invites.ts'
import { issueLink } from './one-time-links.ts'
import { pruneSignIns } from './prune-sign-ins.ts'
import { createSessionStore } from './sessions.ts'

const { sql, drop } = await createTestDatabase()
afterAll(drop)

const sessions = createSessionStore(sql, invalidateNothing)

async function signIn(account: string, device: string) {
  const idHash = randomBytes(32)
  const source = { clientAddress: null, userAgent: null }
  await sessions.create(account, 'none', { ...source, idHash, device, network: 'test', deviceHash: idHash })
  return idHash
}

test('an account has at most 50 sessions, however many begin at once; one more ends the oldest, and the audit records it', async () => {
  const account = await insertAccount(sql)
  const [first, second] = [await signIn(account, 'Oldest'), await signIn(account, 'Second')]
  await Promise.all(Array.from({ length: 49 }, () => signIn(account, 'Newer')))
  expect(await sessions.list(account)).toHaveLength(50)
  expect(await sessions.resolve(first)).toBeUndefined()
  expect(await sessions.resolve(second)).toBeDefined()
  const ended = await sql`
    select subject from audit_entries where account_id = ${account} and action = 'session-ended'`
  expect(ended).toEqual([{ subject: 'Oldest' }])
})

test('an account keeps the 200 devices and networks that were seen last', async () => {
  const account = await insertAccount(sql)
  await signIn(account, 'Home')
  await sql`
    insert into known_devices (account_id, device, network, last_seen_at)
    select ${account}, 'Abroad', n, now() - interval '1 day' from generate_series(1, 300) n`
  await signIn(account, 'Home')
  await signIn(account, 'New')
  const rows = await sql`
    select device, count(*)::int from known_devices where account_id = ${account} group by device order by device`
  expect(rows).toEqual([
    { device: 'Abroad', count: 198 },
    { device: 'Home', count: 1 },
    { device: 'New', count: 1 },
  ])
})

test('sessions, links, email changes and invites that have ended are deleted, though nobody comes back', async () => {
  const account = await insertAccount(sql)
  const [idle] = [await signIn(account, 'Idle'), await signIn(account, 'Live')]
  await sql`update sessions set last_seen_at = now() - interval '1 year' where id_hash = ${idle}`
  const link = { purpose: 'confirm-email', email: 'ann@example.test' } as const
  for (const validMs of [-1, 60_000]) await issueLink(sql, account, { ...link, validMs })
  for (const validDays of [0, 7]) await createInviteStore(sql).create({ email: undefined, validDays })
  await sql`
    insert into email_changes (id, account_id, old_email, old_email_key, expires_at)
    select gen_random_uuid(), ${account}, 'a@b.test', 'a@b.test', now() + n * interval '1 day' from unnest(array[-1, 1]) n`
  await pruneSignIns(sql)
  expect(await sql`select device from sessions where account_id = ${account}`).toEqual([{ device: 'Live' }])
  for (const table of ['one_time_links', 'email_changes', 'invites'])
    expect(await sql`select count(*)::int as left from ${sql(table)}`).toEqual([{ left: 1 }])
})
