import type { LightMyRequestResponse } from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ProblemDetails } from '#schemas/problems.ts'
import { openTestApi, password, Person, type TestApi } from './api.fixture.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

interface Owner {
  person: Person
  accountId: string
  keyId: string
  tokenId: string
}

async function newOwner(): Promise<Owner> {
  const person = await new Person(api.app).register()
  const key = await person.call('POST', '/api/keys', { name: 'Main', key: 'sk-0123456789abcdef' })
  const token = await person.call('POST', '/api/tokens', { name: 'Laptop' })
  const user = await person.call('GET', '/api/user')
  await api.sql`update accounts set plan = 'pro' where id = ${user.json().id}`
  return { person, accountId: user.json().id, keyId: key.json().id, tokenId: token.json().id }
}

/** Some call stands before a row that somebody else has locked. */
const isBlocked = async () => {
  const blocked = await api.sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return blocked.length > 0
}

const baseUrl = 'http://127.0.0.2:9'
const person = { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.test', username: 'ann-lee' }
const photo = () =>
  sharp({ create: { width: 9, height: 9, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()

const writes: [string, (owner: Owner) => Promise<LightMyRequestResponse>][] = [
  ['signing in', ({ person: ann }) => ann.signIn()],
  ['a profile', ({ person: ann }) => ann.call('PATCH', '/api/user/profile', person)],
  ['preferences', ({ person: ann }) => ann.call('PATCH', '/api/user/preferences', { theme: 'dark' })],
  [
    'a password',
    ({ person: ann }) =>
      ann.call('PATCH', '/api/user/password', {
        currentPassword: password,
        newPassword: 'a new long secret',
        confirmPassword: 'a new long secret',
      }),
  ],
  [
    'a new picture',
    async ({ person: ann }) => ann.call('PUT', '/api/user/photo', await photo(), { 'content-type': 'image/png' }),
  ],
  ['a picture taken away', ({ person: ann }) => ann.call('DELETE', '/api/user/photo')],
  ['two-factor', ({ person: ann }) => ann.call('POST', '/api/user/two-factor/setup', { currentPassword: password })],
  ['a new key', ({ person: ann }) => ann.call('POST', '/api/keys', { name: 'Backup', key: 'sk-0123456789abcdef' })],
  ['a primary key', ({ person: ann, keyId }) => ann.call('PUT', `/api/keys/${keyId}/primary`)],
  ['a key taken away', ({ person: ann, keyId }) => ann.call('DELETE', `/api/keys/${keyId}`)],
  ['a new token', ({ person: ann }) => ann.call('POST', '/api/tokens', { name: 'Phone' })],
  ['a changed token', ({ person: ann, tokenId }) => ann.call('PATCH', `/api/tokens/${tokenId}`, { name: 'Phone' })],
  ['a token revealed', ({ person: ann, tokenId }) => ann.call('GET', `/api/tokens/${tokenId}/reveal`)],
  ['a token taken away', ({ person: ann, tokenId }) => ann.call('DELETE', `/api/tokens/${tokenId}`)],
  ['the configuration', ({ person: ann }) => ann.call('POST', '/api/proxy/config', { baseUrl })],
]

test.each(writes)('%s, while the account is deleted, is refused as what it is', async (_name, write) => {
  const owner = await newOwner()
  let answer: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (deletion) => {
    await deletion`delete from accounts where id = ${owner.accountId}`
    answer = write(owner)
    await vi.waitUntil(isBlocked, { timeout: 10_000 })
  })
  const { code, status } = ProblemDetails.parse((await answer)?.json())
  expect([401, 404, 409], code).toContain(status)
})

test('a deletion that waits for a call that waits for it is refused, and both can be tried again', async () => {
  const { person: ann, accountId, tokenId } = await newOwner()
  let deletion: Promise<LightMyRequestResponse> | undefined
  await api.sql
    .begin(async (change) => {
      await change`select 1 from secure_tokens where id = ${tokenId} for update`
      deletion = ann.call('DELETE', '/api/user/account')
      await vi.waitUntil(isBlocked, { timeout: 10_000 })
      await change`insert into audit_entries (account_id, action) values (${accountId}, 'secure-token-changed')`
    })
    .catch(() => undefined)
  expect([200, 409]).toContain((await deletion)?.statusCode)
  expect([200, 401]).toContain((await ann.call('DELETE', '/api/user/account')).statusCode)
})
