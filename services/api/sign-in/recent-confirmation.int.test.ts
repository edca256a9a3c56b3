import { afterEach, expect, test, vi } from 'vitest'
import { newOwner, type Owner } from '../test/account-writes.fixture.ts'
import { password, testApi, type TestUser } from '../test/api.fixture.ts'

const api = await testApi()
afterEach(() => vi.useRealTimers())

const profile = { firstName: 'Ann', lastName: 'Lee' }
/** While keys are stored, another origin also requires the password in the request. */
const elsewhere = { baseUrl: 'http://127.0.0.2:9', currentPassword: password }

/** Requests that need more than a session. */
const calls: [string, (owner: Owner) => ReturnType<TestUser['call']>][] = [
  [
    'another email address',
    ({ user }) =>
      user.call('PATCH', '/api/user/profile', { ...profile, email: `new-${user.email}`, username: user.username }),
  ],
  ['the deletion', ({ user }) => user.call('DELETE', '/api/user/account')],
  ['two-factor off', ({ user }) => user.call('POST', '/api/user/two-factor/disable')],
  ['new recovery codes', ({ user }) => user.call('POST', '/api/user/two-factor/recovery-codes')],
  ['a revealed token', (owner) => reveal(owner)],
  ['a rotated token', ({ user, tokenId }) => user.call('POST', `/api/tokens/${tokenId}/rotate`, { graceHours: 0 })],
  ['another origin', ({ user }) => user.call('POST', '/api/proxy/config', elsewhere)],
]

/** Backdates the confirmation of all sessions. */
const age = ({ accountId }: Owner, minutes: number) => api.sql`
  update sessions set confirmed_at = now() - ${minutes} * interval '1 minute' where account_id = ${accountId}`

/** @returns an unused code, valid from now on */
async function switchTwoFactorOn({ user }: Owner) {
  const { totp } = await user.enableTwoFactor()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  return totp.generate()
}

const reveal = ({ user, tokenId }: Owner) => user.call('GET', `/api/tokens/${tokenId}/reveal`)
const confirm = ({ user }: Owner, body: object) => user.call('POST', '/api/user/confirm', body)

const state = ({ accountId, tokenId }: Owner) => api.sql`
  select a.email, c.base_url, f.enabled_at, t.token_hash from accounts a
  join proxy_configs c on c.account_id = a.id left join two_factor f on f.account_id = a.id
  left join secure_tokens t on t.id = ${tokenId} where a.id = ${accountId}`

test.each(calls)('row 56: %s needs a password that was confirmed within 15 minutes', async (_name, call) => {
  const owner = await newOwner(api)
  const code = await switchTwoFactorOn(owner)
  const before = await state(owner)
  await age(owner, 16)
  expect((await call(owner)).json()).toMatchObject({ status: 403, code: 'confirm_password' })
  expect(await state(owner)).toEqual(before)
  expect((await confirm(owner, { currentPassword: password, code })).statusCode).toBe(204)
  expect((await call(owner)).statusCode).toBe(200)
})

test.each(calls.filter(([name]) => name !== 'two-factor off' && name !== 'new recovery codes'))(
  '%s needs no confirmation after a recent sign-in',
  async (_name, call) => {
    const owner = await newOwner(api)
    await age(owner, 14)
    expect((await call(owner)).statusCode).toBe(200)
  },
)

test('the same address and another path of the same origin need no confirmation', async () => {
  const owner = await newOwner(api)
  const { user } = owner
  await age(owner, 60)
  const { email, username } = user
  const renamed = await user.call('PATCH', '/api/user/profile', { ...profile, email, username })
  expect(renamed.statusCode).toBe(200)
  const baseUrl = `${(await user.call('GET', '/api/proxy/config')).json().baseUrl}/v1`
  expect((await user.call('POST', '/api/proxy/config', { baseUrl })).statusCode).toBe(200)
})

test('a wrong password or code does not confirm, and guesses are limited', async () => {
  const owner = await newOwner(api)
  const code = await switchTwoFactorOn(owner)
  await age(owner, 16)
  expect((await confirm(owner, { currentPassword: 'not the password', code })).json()).toMatchObject({
    status: 403,
    code: 'wrong-password',
    errors: [{ field: 'currentPassword' }],
  })
  expect((await confirm(owner, { currentPassword: password })).json().code).toBe('two-factor-required')
  const wrongCode = await confirm(owner, { currentPassword: password, code: '000000' })
  expect(wrongCode.json()).toMatchObject({ status: 401, code: 'two-factor-invalid', errors: [{ field: 'code' }] })
  expect((await reveal(owner)).statusCode).toBe(403)
  const guesses = await Promise.all(Array.from({ length: 30 }, () => confirm(owner, { currentPassword: 'a guess' })))
  expect(guesses.map(({ statusCode }) => statusCode)).toContain(429)
})

test('right passwords and codes do not count as guesses', async () => {
  const owner = await newOwner(api)
  const { totp } = await owner.user.enableTwoFactor()
  for (let time = 0; time < 12; time += 1) {
    await api.sql`update two_factor set last_used_step = 0 where account_id = ${owner.accountId}`
    expect((await confirm(owner, { currentPassword: password, code: totp.generate() })).statusCode).toBe(204)
  }
})

test('a confirmation is valid only for its session', async () => {
  const owner = await newOwner(api)
  const elsewhereToo = api.user(owner.user.username)
  await elsewhereToo.signIn()
  await age(owner, 16)
  await confirm(owner, { currentPassword: password })
  expect((await reveal(owner)).statusCode).toBe(200)
  expect((await reveal({ ...owner, user: elsewhereToo })).json().code).toBe('confirm_password')
})

test('a password change, which needs no code, does not confirm', async () => {
  const owner = await newOwner(api)
  await age(owner, 16)
  const newPassword = 'a new long secret'
  const change = { currentPassword: password, newPassword, confirmPassword: newPassword }
  expect((await owner.user.call('PATCH', '/api/user/password', change)).statusCode).toBe(200)
  expect((await reveal(owner)).json().code).toBe('confirm_password')
})
