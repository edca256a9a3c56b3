import { expect, test } from 'vitest'
import { newKey, newOwner, newWebhook, type Owner } from '../test/account-writes.fixture.ts'
import { password, testApi } from '../test/api.fixture.ts'
import { expectLimited } from '../test/expect-limited.fixture.ts'
import { rateLimitPrefix } from './client-address.ts'

const api = await testApi()

/** Makes calls at the same time. @returns their statuses */
const atOnce = (count: number, call: (at: number) => Promise<{ statusCode: number }>) =>
  Promise.all(Array.from({ length: count }, async (_, at) => (await call(at)).statusCode))

const useUp = (limit: string, key: string) => api.state.set(`sallyport:throttle:${limit}:${key}`, 1_000, 'PX', 60_000)

test('of many parallel sign-ins with a wrong password, twenty are checked; other addresses are not locked out', async () => {
  const ann = await api.register()
  const thief = api.user(ann.username)
  // The last one has the right password.
  const passwords = Array.from({ length: 200 }, (_, at) => (at < 199 ? 'not the password' : password))
  const responses = await Promise.all(passwords.map((guess) => thief.signIn(guess)))
  expectLimited(
    responses.map(({ statusCode }) => statusCode),
    401,
    20,
  )
  const rejected = responses.at(-1)!
  expect([rejected.statusCode, rejected.json().code]).toEqual([429, 'too-many-requests'])
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ann.signIn()).statusCode).toBe(200)
})

test('guesses of many names from one address are limited', async () => {
  const thief = api.user()
  const guess = (at: number) =>
    thief.call('POST', '/api/login', { username: `nobody-${at}`, password: 'not the password' })
  expectLimited(await atOnce(250, guess), 401, 100)
})

test('taken names can not be enumerated, neither by registering nor by renaming', async () => {
  const ann = await api.register()
  const eve = await api.register()
  const { username, email } = ann
  const body = { username, email: eve.email, firstName: 'Eve', lastName: 'Lee' }
  const register = () => eve.call('POST', '/api/register', { ...body, email, password })
  const rename = () => eve.call('PATCH', '/api/user/profile', body)
  expectLimited(await atOnce(100, (at) => (at % 2 ? register() : rename())), 409, 20)
  expect((await rename()).statusCode).toBe(429)
  expect((await api.user().call('POST', '/api/register', { ...body, password })).statusCode).toBe(409)
})

test('free names do not count', async () => {
  const ann = await api.register()
  for (let round = 0; round < 25; round += 1) {
    const body = { username: `${ann.username}-${round}`, email: ann.email, firstName: 'Ann', lastName: 'Lee' }
    expect((await ann.call('PATCH', '/api/user/profile', body)).statusCode).toBe(200)
  }
})

test('password checks within a session and revealed tokens are limited', async () => {
  const ann = await api.register()
  const change = { currentPassword: 'not the password', newPassword: password, confirmPassword: password }
  const guess = () => ann.call('PATCH', '/api/user/password', change)
  expectLimited(await atOnce(25, guess), 403, 10)
  const { id } = (await ann.call('POST', '/api/tokens', { name: 'Laptop' })).json()
  const reveal = () => ann.call('GET', `/api/tokens/${id}/reveal`)
  expectLimited(await atOnce(70, reveal), 200, 30)
})

test('changes of an account are limited, reads are not', async () => {
  const ann = await api.register()
  await useUp('change', await ann.accountId())
  const rejected = await ann.call('PATCH', '/api/user/preferences', { theme: 'dark' })
  expect(rejected.json()).toMatchObject({ status: 429, code: 'too-many-requests' })
  expect((await ann.call('GET', '/api/user/preferences')).json().theme).toBe('system')
  // Whoever stole a session can't keep its owner from ending it.
  expect((await ann.signIn()).statusCode).toBe(200)
  expect((await ann.call('DELETE', '/api/user/sessions')).statusCode).toBe(204)
  await useUp('signIn', await ann.accountId())
  expect((await ann.signIn()).statusCode).toBe(429)
})

test('an account can not make the server write to any number of addresses', async () => {
  const ann = await api.register()
  const profile = { username: ann.username, firstName: 'Ann', lastName: 'Lee' }
  const moveTo = async (email: string) =>
    (await ann.call('PATCH', '/api/user/profile', { ...profile, email })).statusCode
  const statuses: number[] = []
  for (let at = 0; at < 21; at += 1) statuses.push(await moveTo(`${at}-${ann.email}`))
  expectLimited(statuses, 200, 10)
})

test.each<[string, string, (owner: Owner) => Promise<{ statusCode: number }>]>([
  ['new keys, which are tested', 'providerCall', ({ user }) => user.call('POST', '/api/keys', newKey)],
  ['tests of a key', 'providerCall', ({ user, keyId }) => user.call('POST', `/api/keys/${keyId}/test`)],
  ['tests of the proxy', 'providerCall', ({ user }) => user.call('POST', '/api/proxy/test')],
  [
    'rotated tokens',
    'tokenReveal',
    ({ user, tokenId }) => user.call('POST', `/api/tokens/${tokenId}/rotate`, { graceHours: 1 }),
  ],
  ['new webhooks', 'configSave', ({ user }) => user.call('POST', '/api/webhooks', newWebhook)],
  ['tests of a webhook', 'alertTest', ({ user, webhookId }) => user.call('POST', `/api/webhooks/${webhookId}/test`)],
  ['tests of an alert', 'alertTest', ({ user, alertId }) => user.call('POST', `/api/alerts/${alertId}/test`)],
  [
    'kept responses',
    'idempotentCall',
    ({ user }) => user.call('POST', '/api/tokens', { name: 'Laptop' }, { 'idempotency-key': 'a' }),
  ],
])('%s are limited by account', async (_what, limit, call) => {
  const owner = await newOwner(api)
  await useUp(limit, owner.accountId)
  expect((await call(owner)).statusCode).toBe(429)
})

test('registrations are limited by address', async () => {
  const eve = api.user()
  await useUp('registration', rateLimitPrefix(eve.address))
  const body = { username: eve.username, email: eve.email, password }
  expect((await eve.call('POST', '/api/register', body)).statusCode).toBe(429)
})

test('guesses of the secret in a link that undoes an email change are limited', async () => {
  const thief = api.user()
  const undo = () => thief.call('POST', '/api/email-change/undo', { token: 'made up' })
  expectLimited(await atOnce(130, undo), 410, 60)
})

test('without Redis each process counts separately, and users can still sign in', async () => {
  const ann = await api.register()
  api.state.disconnect()
  expect((await ann.signIn()).statusCode).toBe(200)
  expectLimited(await atOnce(50, () => ann.signIn('not the password')), 401, 20)
})
