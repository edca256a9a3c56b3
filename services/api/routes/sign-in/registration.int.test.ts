import { afterEach, expect, test } from 'vitest'
import { createInviteStore } from '#store/postgres/sign-in/invites.ts'
import { invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createOperatorAccountStore } from '#store/postgres/operator-accounts.ts'
import type { TestUser } from '../../test/api.fixture.ts'
import { openTestApi, password, type TestApi } from '../../test/api.fixture.ts'

let api: TestApi
afterEach(() => api.close())

const register = (user: TestUser, more: object = {}) => {
  const { username, email } = user
  return user.call('POST', '/api/register', { username, email, password, ...more })
}

test('closed: registration is rejected, and the mode is public', async () => {
  api = await openTestApi({ REGISTRATION: 'closed' })
  const ann = api.user()
  expect((await ann.call('GET', '/api/registration')).json()).toEqual({ mode: 'closed', sendsMail: false })
  expect((await register(ann)).json()).toMatchObject({ status: 403, code: 'registration-closed' })
})

test('invite: a code works for one account, before it expires and for its address', async () => {
  api = await openTestApi({ REGISTRATION: 'invite' })
  const invites = createInviteStore(api.sql)
  const [ann, ben] = [api.user(), api.user()]
  const rejected = { status: 403, code: 'invite-invalid', errors: [{ field: 'inviteCode' }] }
  expect((await ann.call('GET', '/api/registration')).json()).toEqual({ mode: 'invite', sendsMail: false })
  expect((await register(ann)).json()).toMatchObject(rejected)
  expect((await register(ann, { inviteCode: 'made-up' })).json()).toMatchObject(rejected)

  const expired = await invites.create({ email: undefined, validDays: 0 })
  expect((await register(ann, { inviteCode: expired })).json()).toMatchObject(rejected)

  await api.sql`update invites set expires_at = now() - interval '1 day'`
  const forAnn = await invites.create({ email: ann.email.toUpperCase(), validDays: 7 })
  expect((await register(ben, { inviteCode: forAnn })).json()).toMatchObject(rejected)
  expect((await register(ann, { inviteCode: forAnn })).statusCode).toBe(201)
  expect((await register(ben, { inviteCode: forAnn })).json()).toMatchObject(rejected)
  expect(await api.sql`select email_key from invites`).toEqual([{ email_key: ann.email }])
})

test('invite: a taken name does not use up the code, and parallel registrations can not share it', async () => {
  api = await openTestApi({ REGISTRATION: 'invite' })
  const invites = createInviteStore(api.sql)
  const ann = api.user()
  await register(ann, { inviteCode: await invites.create({ email: undefined, validDays: 7 }) })

  const inviteCode = await invites.create({ email: undefined, validDays: 7 })
  const taken = await register(api.user(ann.username), { email: 'other@example.com', inviteCode })
  expect(taken.json()).toMatchObject({ status: 409, code: 'username-taken' })
  const responses = await Promise.all(Array.from({ length: 4 }, () => register(api.user(), { inviteCode })))
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 403, 403, 403])
})

test('a disabled account is reported only after the right password', async () => {
  api = await openTestApi()
  const ann = await api.register()
  const operator = createOperatorAccountStore(api.sql, invalidateNothing)
  const account = await operator.find(ann.username)
  await operator.disable(account!.id)
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
  const signIn = (secret: string) => api.user().call('POST', '/api/login', { username: ann.username, password: secret })
  expect((await signIn('wrong password')).json()).toMatchObject({ status: 401, code: 'invalid-credentials' })
  expect((await signIn(password)).json()).toMatchObject({ status: 403, code: 'account-disabled' })
  await operator.enable(account!.id)
  expect((await signIn(password)).statusCode).toBe(200)
})

test('without a mail server, requests for links are rejected', async () => {
  api = await openTestApi()
  const ann = await api.register()
  expect((await ann.call('GET', '/api/registration')).json()).toEqual({ mode: 'open', sendsMail: false })
  const rejected = { status: 503, code: 'mail-not-configured' }
  expect((await ann.call('POST', '/api/forgot-password', { email: ann.email })).json()).toMatchObject(rejected)
  expect((await ann.call('POST', '/api/user/email-confirmation')).json()).toMatchObject(rejected)
})
