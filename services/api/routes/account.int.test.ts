import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { password, testApi, type TestUser } from '../test/api.fixture.ts'

const secret = randomBytes(32).toString('hex')

const api = await testApi({ SESSION_SECRET: secret, PUBLIC_URL: 'https://gateway.example.test' })
const careless = await api.register()

test('registration signs in, by a cookie that is bound to this host', async () => {
  const ann = api.user()
  const { username, email } = ann
  const response = await ann.call('POST', '/api/register', {
    username,
    email,
    password,
    firstName: 'Ann',
    lastName: '',
  })
  expect(response.statusCode).toBe(201)
  expect(response.json()).toEqual({
    id: expect.any(String),
    username,
    email,
    firstName: 'Ann',
    lastName: null,
    profileImageUrl: null,
    subscriptionStatus: 'free',
    isEmailConfirmed: false,
    isOperator: false,
  })
  expect(response.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-sallyport=.*Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(/^__Host-sallyport-device=.*Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ])
  expect((await ann.call('GET', '/api/user')).json()).toEqual(response.json())
})

test.each([
  [{ username: '' }, 'username', 'Please fill in all required fields.'],
  [{ username: 'ab' }, 'username', 'Username must be at least 3 characters'],
  [{ username: 'аdmin' }, 'username', 'Username may only contain letters, digits and . _ + -'],
  [{ username: 'a\u200bnn' }, 'username', 'Username may only contain letters, digits and . _ + -'],
  [{ email: 'ann' }, 'email', 'Invalid email address'],
  [{ email: 'аnn@example.test' }, 'email', 'Invalid email address'],
  [{ password: '' }, 'password', 'Please fill in all required fields.'],
  [{ password: 'short' }, 'password', 'Password must be at least 8 characters'],
  [{ password: 'Password1' }, 'password', 'This password is too common. Choose one that is harder to guess'],
  [{ firstName: 'a\u0000b' }, 'firstName', 'First name must not contain control characters'],
])('rejects %o at its field', async (changes, field, message) => {
  const ann = api.user()
  const { username, email } = ann
  const response = await ann.call('POST', '/api/register', { username, email, password, ...changes })
  expect(response.json()).toMatchObject({ status: 400, detail: message, errors: [{ field, message }] })
})

test('names and addresses that differ by case are one account', async () => {
  const ann = await api.register()
  const other = api.user()
  const register = (body: object) =>
    other.call('POST', '/api/register', { username: other.username, email: other.email, password, ...body })
  const name = await register({ username: ann.username.toUpperCase() })
  expect(name.json()).toMatchObject({ status: 409, code: 'username-taken', errors: [{ field: 'username' }] })
  const email = await register({ email: ann.email.toUpperCase() })
  expect(email.json()).toMatchObject({ status: 409, code: 'email-taken', errors: [{ field: 'email' }] })
  expect((await api.user(ann.username.toUpperCase()).signIn()).statusCode).toBe(200)
})

test('fields that a client may not set are rejected in a new account, and have no effect in a changed one', async () => {
  const ann = api.user()
  const { username, email } = ann
  for (const [field, value] of [
    ['isOperator', true],
    ['subscriptionStatus', 'enterprise'],
  ] as const) {
    const forced = await ann.call('POST', '/api/register', { username, email, password, [field]: value })
    expect(forced.json()).toMatchObject({ status: 400, errors: [{ field }] })
  }
  const user = (await ann.call('POST', '/api/register', { username, email, password })).json()
  const names = { firstName: 'Ann', lastName: 'Lee', username, email }
  const forced = { ...user, ...names, subscriptionStatus: 'enterprise', isOperator: true }
  expect((await ann.call('PATCH', '/api/user/profile', forced)).json()).toEqual({ ...user, ...names })
})

test('a cookie ends with sign-out, a new password and deletion; signing in never takes one over', async () => {
  const ann = await api.register()
  const first = new Map(ann.cookies)
  ann.cookies.set('__Host-sallyport', [...first.values()][0]!)
  await ann.call('POST', '/api/login', { username: ann.username, password })
  expect(ann.cookies).not.toEqual(first)

  const signedOut = new Map(ann.cookies)
  expect((await ann.call('POST', '/api/logout')).statusCode).toBe(204)
  expect([...ann.cookies.keys()]).toEqual(['__Host-sallyport-device'])
  await expectEnded(ann, signedOut)

  await ann.signIn()
  const before = new Map(ann.cookies)
  const newPassword = 'another long secret'
  const change = { currentPassword: password, newPassword, confirmPassword: newPassword }
  expect((await ann.call('PATCH', '/api/user/password', change)).json().username).toBe(ann.username)
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(200)
  const after = new Map(ann.cookies)
  await expectEnded(ann, before)
  await expectEnded(ann, first)
  expect((await ann.signIn()).statusCode).toBe(401)
  expect((await ann.signIn(newPassword)).statusCode).toBe(200)

  expect((await ann.call('DELETE', '/api/user/account')).json()).toEqual({ success: true })
  await expectEnded(ann, after)
  expect((await ann.signIn(newPassword)).statusCode).toBe(401)
})

async function expectEnded(user: TestUser, cookies: Map<string, string>) {
  const kept = new Map(user.cookies)
  user.cookies.clear()
  for (const [name, value] of cookies) user.cookies.set(name, value)
  expect((await user.call('GET', '/api/keys')).statusCode).toBe(401)
  expect((await user.call('GET', '/api/user')).statusCode).toBe(401)
  user.cookies.clear()
  for (const [name, value] of kept) user.cookies.set(name, value)
}

test.each([
  [
    'without a signature',
    (jti: string) =>
      `${encode({ alg: 'none', typ: 'sallyport-session+jwt' })}.${encode({ jti, aud: 'sallyport', exp: 9_999_999_999 })}.`,
  ],
  ['of another algorithm', (jti: string) => sign(jti, { alg: 'HS512' })],
  ['for another audience', (jti: string) => sign(jti, { audience: 'elsewhere' })],
  ['of another type', (jti: string) => sign(jti, { typ: 'JWT' })],
  ['that has expired', (jti: string) => sign(jti, { exp: 1 })],
  ['that never expires', (jti: string) => sign(jti, { exp: undefined })],
  ['of another key', (jti: string) => sign(jti, { key: 'x'.repeat(32) })],
])('rejects a token %s', async (_what, forge) => {
  const ann = await api.register()
  const [name, token] = [...ann.cookies][0]!
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(200)
  ann.cookies.set(name, await forge(jti))
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
  ann.cookies.set(name, await sign(jti, {}))
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(200)
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Forgery {
  alg?: string
  typ?: string
  audience?: string
  key?: string
  exp?: number | undefined
}

function sign(jti: string, forgery: Forgery): Promise<string> {
  const { alg = 'HS256', typ = 'sallyport-session+jwt', audience = 'sallyport', key = secret, ...claims } = forgery
  const token = new SignJWT({ jti }).setProtectedHeader({ alg, typ }).setAudience(audience)
  if (!('exp' in claims)) token.setExpirationTime('1h')
  else if (claims.exp !== undefined) token.setExpirationTime(claims.exp)
  return token.sign(new TextEncoder().encode(key))
}

test.each([
  [{ firstName: '' }, 'firstName', 'First name is required'],
  [{ lastName: ' ' }, 'lastName', 'Last name is required'],
  [{ email: 'nobody' }, 'email', 'Invalid email address'],
  [{ username: 'ab' }, 'username', 'Username must be at least 3 characters'],
])('rejects a profile with %o at its field', async (changes, field, message) => {
  const { email, username } = careless
  const profile = { firstName: 'Ann', lastName: 'Lee', email, username, ...changes }
  const response = await careless.call('PATCH', '/api/user/profile', profile)
  expect(response.json()).toMatchObject({ status: 400, errors: [{ field, message }] })
})

test.each([
  [{ currentPassword: '' }, 400, 'currentPassword', 'Current password is required'],
  [{ currentPassword: 'not the password' }, 403, 'currentPassword', 'Current password is wrong'],
  [{ newPassword: 'short', confirmPassword: 'short' }, 400, 'newPassword', 'Password must be at least 8 characters'],
  [{ newPassword: 'password1', confirmPassword: 'password1' }, 400, 'newPassword', 'This password is too common'],
  [{ confirmPassword: '' }, 400, 'confirmPassword', 'Please confirm your password'],
  [{ confirmPassword: 'different' }, 400, 'confirmPassword', "Passwords don't match"],
])('rejects a password change with %o at its field', async (changes, status, field, message) => {
  const change = { currentPassword: password, newPassword: 'a new long secret', confirmPassword: 'a new long secret' }
  const response = await careless.call('PATCH', '/api/user/password', { ...change, ...changes })
  expect(response.json()).toMatchObject({ status, errors: [{ field, message: expect.stringContaining(message) }] })
  expect((await careless.signIn()).statusCode).toBe(200)
})

test('preferences have defaults, and omitted ones keep their values', async () => {
  const ann = await api.register()
  const defaults = {
    emailNotifications: true,
    securityAlerts: true,
    usageReports: false,
    theme: 'system',
    timezone: 'UTC',
    language: 'en',
  }
  expect((await ann.call('GET', '/api/user/preferences')).json()).toEqual(defaults)
  const changes = { usageReports: true, theme: 'dark', timezone: 'Europe/Paris' }
  const saved = await ann.call('PATCH', '/api/user/preferences', changes)
  expect(saved.json()).toEqual({ ...defaults, ...changes })
  expect((await ann.call('PATCH', '/api/user/preferences', { language: 'de-CH' })).json()).toEqual({
    ...saved.json(),
    language: 'de-CH',
  })
  for (const wrong of [{ timezone: 'Mars/Olympus' }, { timezone: '+02:00' }, { theme: 'pink' }, { language: '??' }]) {
    const rejected = await ann.call('PATCH', '/api/user/preferences', wrong)
    expect(rejected.json()).toMatchObject({ status: 400, errors: [{ field: Object.keys(wrong)[0] }] })
  }
})

test('sessions can be listed, and ended one by one or all others at once', async () => {
  const ann = await api.register()
  const others = [api.user(ann.username), api.user(ann.username)]
  for (const other of others) await other.signIn()
  const list = async () => (await ann.call('GET', '/api/user/sessions')).json()
  const sessions: { id: string; current: boolean; device: string }[] = await list()
  expect(sessions.map(({ current }) => current).toSorted()).toEqual([false, false, true])
  expect(sessions[0]).toMatchObject({ device: 'Firefox on Linux', clientAddress: expect.any(String) })

  const ended = sessions.find(({ current }) => !current)!.id
  expect((await ann.call('DELETE', `/api/user/sessions/${ended}`)).statusCode).toBe(204)
  expect(await list()).toHaveLength(2)
  expect((await ann.call('DELETE', '/api/user/sessions')).statusCode).toBe(204)
  expect(await list()).toMatchObject([{ current: true }])
  for (const other of others) expect((await other.call('GET', '/api/user')).statusCode).toBe(401)
})

test('sessions expire when idle, and after their longest lifetime', async () => {
  const [idle, old] = [await api.register(), await api.register()]
  await api.sql`update sessions set last_seen_at = now() - interval '8 days' where account_id = ${await idle.accountId()}`
  await api.sql`update sessions set expires_at = now() where account_id = ${await old.accountId()}`
  expect((await idle.call('GET', '/api/user')).statusCode).toBe(401)
  expect((await old.call('GET', '/api/user')).statusCode).toBe(401)
})

test('sign-in rehashes a password that was hashed with old parameters', async () => {
  const { hash } = await import('@node-rs/argon2')
  const ann = await api.register()
  const weak = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await api.sql`update accounts set password_hash = ${weak} where username = ${ann.username}`
  expect((await ann.signIn()).statusCode).toBe(200)
  const [row] = await api.sql`select password_hash from accounts where username = ${ann.username}`
  expect(row!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect((await ann.signIn()).statusCode).toBe(200)
})
