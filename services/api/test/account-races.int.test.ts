import { hash } from '@node-rs/argon2'
import type { LightMyRequestResponse } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import type { Transaction } from '#core/stores/postgres.ts'
import { SentProblem } from '#schemas/problems.ts'
import { unmatchableHash } from '#shared/passwords.ts'
import { modelPrice, newAlert, newOwner, newView, newWebhook, photo, writes } from './account-writes.fixture.ts'
import { password, testApi, type TestUser } from './api.fixture.ts'

const api = await testApi()

/** True if a query waits for a lock. */
const isBlocked = async () => {
  const blocked = await api.sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return blocked.length > 0
}

/** Of a secret that is not enabled yet. */
async function newCode(ann: TestUser): Promise<string> {
  const setup = await ann.call('POST', '/api/user/two-factor/setup', { currentPassword: password })
  return new TOTP({ secret: Secret.fromBase32(setup.json().secret) }).generate()
}

test.each(writes)('%s fails with a client error while the account is being deleted', async (_name, write) => {
  const owner = await newOwner(api)
  let response: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (deletion) => {
    await deletion`delete from accounts where id = ${owner.accountId}`
    response = write(owner)
    await expect.poll(isBlocked).toBe(true)
  })
  const { code, status } = SentProblem.parse((await response)?.json())
  expect([401, 404, 409], code).toContain(status)
})

test('a deadlock between a deletion and another request is resolved, and the deletion can be retried', async () => {
  const { user: ann, accountId, tokenId } = await newOwner(api)
  let deletion: Promise<LightMyRequestResponse> | undefined
  await api.sql
    .begin(async (change) => {
      await change`select 1 from secure_tokens where id = ${tokenId} for update`
      deletion = ann.call('DELETE', '/api/user/account')
      await expect.poll(isBlocked).toBe(true)
      await change`insert into audit_entries (account_id, action) values (${accountId}, 'secure-token-changed')`
    })
    .catch(() => undefined)
  expect([200, 409]).toContain((await deletion)?.statusCode)
  expect([200, 401]).toContain((await ann.call('DELETE', '/api/user/account')).statusCode)
})

test('of two deletions of an account at the same time, the second one finds no account', async () => {
  const { user: ann, accountId } = await newOwner(api)
  let deletion: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (other) => {
    await other`delete from accounts where id = ${accountId}`
    await other`insert into account_deletions (account_id) values (${accountId})`
    deletion = ann.call('DELETE', '/api/user/account')
    await expect.poll(isBlocked).toBe(true)
  })
  expect((await deletion)?.json()).toMatchObject({ status: 401, code: 'unauthorized' })
})

test('a picture that is removed while it is uploaded is not kept', async () => {
  const ann = await api.register()
  const accountId = await ann.accountId()
  const picture = await photo()
  let removal: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (upload) => {
    await upload`insert into profile_photos (account_id, hash, image) values (${accountId}, ${'0'.repeat(64)}, ${picture})`
    await upload`update accounts set profile_image_url = '/api/user/photo/0' where id = ${accountId}`
    removal = ann.call('DELETE', '/api/user/photo')
    await expect.poll(isBlocked).toBe(true)
  })
  expect((await removal)?.json()).toMatchObject({ profileImageUrl: null })
  expect(await api.sql`select 1 from profile_photos where account_id = ${accountId}`).toHaveLength(0)
})

test.each([
  ['', undefined],
  [', whose hash it would renew,', { memoryCost: 8_192, timeCost: 1 }],
])('a sign-in that checked the old password%s does nothing once the password has changed', async (_what, outdated) => {
  const { username } = await api.register()
  const oldHash = outdated && (await hash(password, outdated))
  if (oldHash) await api.sql`update accounts set password_hash = ${oldHash} where username = ${username}`
  const attacker = api.user(username)
  let response: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (change) => {
    const [account] =
      await change`update accounts set password_hash = ${unmatchableHash} where username = ${username} returning id`
    await change`delete from sessions where account_id = ${account!['id']}`
    response = attacker.signIn()
    await expect.poll(isBlocked).toBe(true)
  })
  expect((await response)?.statusCode).toBe(409)
  expect((await attacker.call('GET', '/api/user')).statusCode).toBe(401)
  expect((await api.user(username).signIn()).statusCode).toBe(401)
})

test('two sign-ins at the same time that renew an outdated hash both succeed', async () => {
  const { username } = await api.register()
  const oldHash = await hash(password, { memoryCost: 8_192, timeCost: 1 })
  await api.sql`update accounts set password_hash = ${oldHash} where username = ${username}`
  const responses = await Promise.all([api.user(username).signIn(), api.user(username).signIn()])
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200])
})

type Write = (ann: TestUser, code: string) => Promise<LightMyRequestResponse>
test.each<[string, Write]>([
  [
    'email address',
    (ann) =>
      ann.call('PATCH', '/api/user/profile', { firstName: 'A', lastName: 'B', email: 'a@x.test', username: 'a-b' }),
  ],
  [
    'management key',
    (ann) => ann.call('POST', '/api/user/management-keys', { name: 'Mine', scopes: ['account:write'] }),
  ],
  ['second factor', (ann, code) => ann.call('POST', '/api/user/two-factor/enable', { code })],
])('a new %s of a session that ends at the same time is rejected', async (_name, write) => {
  const ann = await api.register()
  const accountId = await ann.accountId()
  const code = await newCode(ann)
  let response: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (undoing) => {
    await undoing`update accounts set password_hash = 'none' where id = ${accountId}`
    await undoing`delete from sessions where account_id = ${accountId}`
    response = write(ann, code)
    await expect.poll(isBlocked).toBe(true)
  })
  expect((await response)?.json()).toMatchObject({ status: 401, code: 'unauthorized' })
})

test.each(['recovery-codes', 'disable'])('%s of a session that ends at the same time is rejected', async (change) => {
  const ann = await api.register()
  const accountId = await ann.accountId()
  await ann.call('POST', '/api/user/two-factor/enable', { code: await newCode(ann) })
  let response: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (undoing) => {
    await undoing`delete from sessions where account_id = ${accountId}`
    response = ann.call('POST', `/api/user/two-factor/${change}`)
    await expect.poll(isBlocked).toBe(true)
  })
  expect((await response)?.json()).toMatchObject({ status: 401, code: 'unauthorized' })
})

test('two-factor sign-in waits for a change of the email address that is undone, which ends its session', async () => {
  const ann = await api.register()
  const accountId = await ann.accountId()
  const code = await newCode(ann)
  let response: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (undoing) => {
    await undoing`select 1 from accounts where id = ${accountId} for update`
    response = ann.call('POST', '/api/user/two-factor/enable', { code })
    await expect.poll(isBlocked).toBe(true)
    await undoing`delete from sessions where account_id = ${accountId}`
  })
  expect((await response)?.json()).toMatchObject({ status: 401, code: 'unauthorized' })
})

test.each(['/api/user/sessions', '/api/user/sessions/:id'])(
  'DELETE %s waits for a change of the account, which may need the session',
  async (url) => {
    const ann = await api.register()
    const accountId = await ann.accountId()
    await api.user(ann.username).signIn()
    const [other] = (await ann.call('GET', '/api/user/sessions')).json()
    let response: Promise<LightMyRequestResponse> | undefined
    await api.sql.begin(async (change) => {
      await change`select 1 from accounts where id = ${accountId} for update`
      response = ann.call('DELETE', url.replace(':id', other.id))
      await expect.poll(isBlocked).toBe(true)
      await change`select 1 from sessions where id = ${other.id} for key share`
    })
    expect((await response)?.statusCode).toBe(204)
  },
)

test('an account that is disabled during a sign-in gets no session', async () => {
  const { username } = await api.register()
  const ann = api.user(username)
  let response: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (change) => {
    await change`update accounts set disabled_at = now() where username = ${username}`
    response = ann.signIn()
    await expect.poll(isBlocked).toBe(true)
  })
  expect((await response)?.statusCode).toBe(409)
  await api.sql`update accounts set disabled_at = null where username = ${username}`
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
})

test('a code of a secret that another tab replaces meanwhile does not enable two-factor sign-in', async () => {
  const ann = await api.register()
  const accountId = await ann.accountId()
  const code = await newCode(ann)
  let response: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (change) => {
    await change`update two_factor set sealed_secret = 'another' where account_id = ${accountId}`
    response = ann.call('POST', '/api/user/two-factor/enable', { code })
    await expect.poll(isBlocked).toBe(true)
  })
  expect((await response)?.json()).toMatchObject({ status: 409, code: 'conflict' })
  expect((await ann.call('GET', '/api/user/two-factor')).json().enabled).toBe(false)
})

const keyChanges: [string, (change: Transaction, keyId: string) => PromiseLike<unknown>, number][] = [
  ['a rename', (change, keyId) => change`update api_keys set name = 'Other' where id = ${keyId}`, 200],
  ['a deletion', (change, keyId) => change`delete from api_keys where id = ${keyId}`, 404],
]
test.each(keyChanges)('a key is made primary after %s of it at the same time', async (_name, write, status) => {
  const { user: ann, accountId, keyId } = await newOwner(api)
  let response: Promise<LightMyRequestResponse> | undefined
  await api.sql.begin(async (change) => {
    await write(change, keyId)
    response = ann.call('PUT', `/api/keys/${keyId}/primary`)
    await expect.poll(isBlocked).toBe(true)
    await change`insert into audit_entries (account_id, action) values (${accountId}, 'api-key-renamed')`
  })
  expect((await response)?.statusCode).toBe(status)
})

test.each([
  ['alerts', 50, 'limit-reached', () => newAlert],
  ['model-prices', 200, 'price-limit-reached', (at: number) => ({ ...modelPrice, pattern: `model-${at}` })],
  ['views', 100, 'limit-reached', (at: number) => ({ ...newView, name: `view ${at}` })],
  ['webhooks', 10, 'limit-reached', () => newWebhook],
])('of %s, an account has at most %d, however many are added at once', async (list, limit, code, create) => {
  const ann = await api.register()
  const adding = Array.from({ length: limit + 2 }, (_, at) => ann.call('POST', `/api/${list}`, create(at)))
  const responses = await Promise.all(adding)
  expect(responses.flatMap((response) => response.json().code ?? [])).toEqual([code, code])
})
