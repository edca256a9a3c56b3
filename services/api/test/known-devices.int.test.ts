import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyPassword } from '#shared/passwords.ts'
import { password, testApi, type TestUser } from './api.fixture.ts'
import { expectLimited } from './expect-limited.fixture.ts'

const deviceCookie = 'sallyport-device'

const api = await testApi()

/** Signs in with the browser's cookies, except that of the session. */
async function signInAgain(user: TestUser, code?: string, secret = password): Promise<number> {
  user.cookies.delete('sallyport')
  const body = { username: user.username, password: secret, code }
  return (await user.call('POST', '/api/login', body)).statusCode
}

/** Strangers, each at a separate address, 50 at a time. @returns the statuses of their attempts */
async function storm(name: string, count: number, attempt: (stranger: TestUser) => Promise<{ statusCode: number }>) {
  const statuses: number[] = []
  while (statuses.length < count) {
    const attempts = Array.from({ length: 50 }, async () => (await attempt(api.user(name))).statusCode)
    statuses.push(...(await Promise.all(attempts)))
  }
  return statuses
}

test('row 60: after many wrong codes from many addresses the owner signs in at once from a known device', async () => {
  const user = await api.register()
  const { totp, recoveryCodes } = await user.enableTwoFactor()
  const nextCode = () => totp.generate({ timestamp: Date.now() + 30_000 })
  // Five times the limit. A rejected code takes a hash of the password, so there are fewer than wrong passwords below.
  expectLimited(await storm(user.username, 50, (stranger) => stranger.signIn(password, '000000')), 401, 10)
  for (const code of [nextCode(), recoveryCodes[0]])
    expect((await api.user(user.username).signIn(password, code)).statusCode).toBe(429)
  expect(await signInAgain(user, nextCode())).toBe(200)
})

test('row 60: after 1,000 wrong passwords from many addresses only a known device signs in: no other cookie, browser or address is one', async () => {
  const ann = await api.register()
  const eve = await api.register()
  expectLimited(await storm(ann.username, 1_000, (stranger) => stranger.signIn('not the password')), 401, 100)
  const random = randomBytes(32).toString('base64url')
  const cookies = [undefined, random, eve.cookies.get(deviceCookie)!, ann.cookies.get('sallyport')!]
  for (const cookie of cookies) {
    const stranger = Object.assign(api.user(ann.username), { address: ann.address })
    if (cookie) stranger.cookies.set(deviceCookie, cookie)
    expect(await signInAgain(stranger)).toBe(429)
  }
  expect(await signInAgain(ann)).toBe(200)
})

test('a password is confirmed, and an invalid link rejected, while guesses from elsewhere still wait', async () => {
  const ann = await api.register()
  const guesses = Array.from({ length: 60 }, () => verifyPassword('not the password', undefined))
  let isOver = false
  const waiting = Promise.all(guesses).then(() => (isOver = true))
  const link = { secret: 'made up', newPassword: 'another long secret', confirmPassword: 'another long secret' }
  expect((await ann.call('POST', '/api/user/confirm', { currentPassword: password })).statusCode).toBe(204)
  expect((await api.user().call('POST', '/api/reset-password', link)).json().code).toBe('link-invalid')
  expect(isOver).toBe(false)
  await waiting
})

test('the cookie of a device is no session', async () => {
  const ann = await api.register()
  const device = ann.cookies.get(deviceCookie)!
  ann.cookies.clear()
  ann.cookies.set('sallyport', device)
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
})

test('guesses from a known device are limited as well', async () => {
  const ann = await api.register()
  const statuses = []
  for (let guess = 0; guess < 25; guess += 1) statuses.push(await signInAgain(ann, undefined, 'not the password'))
  expect(statuses).toContain(429)
})

test('successful sign-ins do not count, and an account keeps a limited number of known devices', async () => {
  const ann = await api.register()
  for (let browser = 0; browser < 52; browser += 1) expect((await ann.signIn()).statusCode).toBe(200)
  const [row] = await api.sql`
    select count(*)::int as devices from device_cookies d join accounts a on a.id = d.account_id
    where a.username = ${ann.username}`
  expect(row!['devices']).toBe(50)
}, 60_000)
