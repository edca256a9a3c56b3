import { afterEach, expect, test, vi } from 'vitest'
import { password, testApi } from '../../test/api.fixture.ts'

const api = await testApi()
afterEach(() => vi.useRealTimers())

const later = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })

/** The clock stands still from now on: a code changes every 30 s. */
async function enabled() {
  later(0)
  const user = await api.register()
  const { uri, ...twoFactor } = await user.enableTwoFactor()
  expect(uri).toContain(`otpauth://totp/Sallyport:${user.username}`)
  return { user, ...twoFactor }
}

test('sign-in needs the password and a code, and no code works twice', async () => {
  const { user, totp } = await enabled()
  expect((await user.call('GET', '/api/user/two-factor')).json()).toEqual({ enabled: true, recoveryCodesLeft: 10 })
  expect((await user.signIn()).json()).toMatchObject({ status: 401, code: 'two-factor-required' })
  expect((await user.signIn(password, '000000')).json()).toMatchObject({ status: 401, code: 'two-factor-invalid' })
  // The code that enabled it is used up.
  expect((await user.signIn(password, totp.generate())).statusCode).toBe(401)
  later(60)
  const code = totp.generate()
  expect((await user.signIn('not the password', code)).json().code).toBe('invalid-credentials')
  expect((await user.signIn(password, code)).statusCode).toBe(200)
  expect((await user.signIn(password, code)).statusCode).toBe(401)
})

test('parallel sign-ins can not share a code', async () => {
  const { user, totp } = await enabled()
  later(60)
  const code = totp.generate()
  const responses = await Promise.all(Array.from({ length: 5 }, () => api.user(user.username).signIn(password, code)))
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})

test('a recovery code works once, however it is typed', async () => {
  const { user, recoveryCodes } = await enabled()
  expect(new Set(recoveryCodes).size).toBe(10)
  const typed = recoveryCodes[0]!.toLowerCase().replaceAll('-', ' ')
  expect((await user.signIn(password, typed)).statusCode).toBe(200)
  expect((await user.call('GET', '/api/user/two-factor')).json().recoveryCodesLeft).toBe(9)
  expect((await user.signIn(password, recoveryCodes[0])).statusCode).toBe(401)
  expect((await user.signIn(password, recoveryCodes[1])).statusCode).toBe(200)

  const renewed = await user.call('POST', '/api/user/two-factor/recovery-codes')
  expect(renewed.json().recoveryCodes).toHaveLength(10)
  expect((await user.signIn(password, recoveryCodes[2])).statusCode).toBe(401)
})

test('enabling needs a valid code, and it can be disabled', async () => {
  const ann = await api.register()
  const post = (path: string, body: object) => ann.call('POST', `/api/user/two-factor/${path}`, body)
  expect((await post('enable', { code: '123456' })).json()).toMatchObject({ status: 409, code: 'two-factor-disabled' })
  expect((await post('setup', { currentPassword: 'not the password' })).statusCode).toBe(403)
  await post('setup', { currentPassword: password })
  expect((await post('enable', { code: '000000' })).json()).toMatchObject({ status: 401, code: 'two-factor-invalid' })
  expect((await post('enable', { code: 'abc' })).json()).toMatchObject({ status: 400, errors: [{ field: 'code' }] })
  expect((await ann.signIn()).statusCode).toBe(200)

  const { user } = await enabled()
  const setup = await user.call('POST', '/api/user/two-factor/setup', { currentPassword: password })
  expect(setup.json()).toMatchObject({ status: 409, code: 'two-factor-enabled' })
  const off = await user.call('POST', '/api/user/two-factor/disable')
  expect(off.json()).toEqual({ enabled: false, recoveryCodesLeft: 0 })
  expect((await user.signIn()).statusCode).toBe(200)
})

const asHex = (text: string) => Buffer.from(text).toString('hex')

test('neither the secret nor a recovery code is stored in plain text', async () => {
  const { secret, recoveryCodes } = await enabled()
  const [dump] = await api.sql`
    select (select string_agg(t::text, ' ') from two_factor t) || (select string_agg(r::text, ' ') from recovery_codes r) as text`
  for (const kept of [secret, recoveryCodes[0]!]) {
    expect(dump!.text).not.toContain(kept)
    expect(dump!.text).not.toContain(asHex(kept))
  }
})
