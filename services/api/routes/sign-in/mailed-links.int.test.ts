import { expect, test } from 'vitest'
import { issueLink } from '#store/postgres/sign-in/one-time-links.ts'
import { rateLimitPrefix } from '../../sign-in/client-address.ts'
import { password, testApi, type TestUser } from '../../test/api.fixture.ts'

const newPassword = 'another long secret'

const api = await testApi({ SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'http://127.0.0.1' })

const newLink = (accountId: string, email: string, purpose: 'confirm-email' | 'reset-password') =>
  issueLink(api.sql, accountId, { purpose, email, validMs: 60_000 })
const reset = (user: TestUser, secret: string) =>
  user.call('POST', '/api/reset-password', { secret, newPassword, confirmPassword: newPassword })

/** Registers a user with a confirmed address. */
async function registerConfirmed() {
  const user = await api.register()
  const accountId = await user.accountId()
  await api.sql`update accounts set email_confirmed_at = now() where id = ${accountId}`
  return { user, accountId }
}

test('a link confirms an address in any browser', async () => {
  const ann = await api.register()
  const secret = await newLink(await ann.accountId(), ann.email, 'confirm-email')
  expect((await ann.call('GET', '/api/user')).json().isEmailConfirmed).toBe(false)
  const elsewhere = api.user()
  expect((await elsewhere.call('POST', '/api/confirm-email', { secret })).statusCode).toBe(204)
  expect((await ann.call('GET', '/api/user')).json().isEmailConfirmed).toBe(true)
  expect((await elsewhere.call('POST', '/api/confirm-email', { secret })).json().code).toBe('link-invalid')
})

test('resending a confirmation is rate-limited', async () => {
  const ann = await api.register()
  const statuses = []
  for (let round = 0; round < 5; round += 1) {
    statuses.push((await ann.call('POST', '/api/user/email-confirmation')).statusCode)
  }
  expect(statuses).toEqual([202, 202, 202, 429, 429])
  expect((await api.user().call('POST', '/api/user/email-confirmation')).statusCode).toBe(401)
})

test('a link sets a new password once, ends all sessions and does not sign in', async () => {
  const { user: ann, accountId } = await registerConfirmed()
  const [secret, older] = [
    await newLink(accountId, ann.email, 'reset-password'),
    await newLink(accountId, ann.email, 'reset-password'),
  ]
  const elsewhere = api.user(ann.username)
  expect((await reset(elsewhere, secret)).statusCode).toBe(204)
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
  expect((await elsewhere.call('GET', '/api/user')).statusCode).toBe(401)
  for (const used of [secret, older]) expect((await reset(elsewhere, used)).json().code).toBe('link-invalid')
  expect((await elsewhere.signIn(password)).statusCode).toBe(401)
  expect((await elsewhere.signIn(newPassword)).statusCode).toBe(200)
})

test('a browser that reset the password can sign in at once, despite guesses from elsewhere', async () => {
  const { user: ann, accountId } = await registerConfirmed()
  await api.state.set(`sallyport:throttle:signInByAccount:${ann.username}`, 1_000, 'PX', 600_000)
  const elsewhere = api.user(ann.username)
  const guesses = [await api.user(ann.username).signIn('not the password'), await elsewhere.signIn()]
  expect(guesses.map(({ statusCode }) => statusCode)).toEqual([401, 429])
  await reset(elsewhere, await newLink(accountId, ann.email, 'reset-password'))
  const body = { username: ann.username, password: newPassword }
  expect((await elsewhere.call('POST', '/api/login', body)).statusCode).toBe(200)
})

test('a link is void after another password, for another address, for a disabled account and for another purpose', async () => {
  const { user: ann, accountId } = await registerConfirmed()
  const change = { currentPassword: password, newPassword, confirmPassword: newPassword }
  const before = await newLink(accountId, ann.email, 'reset-password')
  await ann.call('PATCH', '/api/user/password', change)
  const elsewhere = await newLink(accountId, 'former@example.test', 'reset-password')
  const other = await newLink(accountId, ann.email, 'confirm-email')
  for (const secret of [before, elsewhere, other, 'made up']) {
    expect((await reset(ann, secret)).json().code).toBe('link-invalid')
  }
  const disabled = await newLink(accountId, ann.email, 'reset-password')
  await api.sql`update accounts set disabled_at = now() where id = ${accountId}`
  expect((await reset(ann, disabled)).json().code).toBe('link-invalid')
})

/** Accounts, once for each mail. */
async function withResetMail(): Promise<string[]> {
  const rows = await api.sql<{ id: string }[]>`
    select account_id as id from audit_entries where action = 'password-reset-requested' order by id`
  return rows.map(({ id }) => id)
}

test('the response to a forgotten password is the same for every address', async () => {
  const { user: confirmed, accountId } = await registerConfirmed()
  const unconfirmed = await api.register()
  const stranger = api.user()
  const responses = []
  // The last one is the one that gets a mail, so the others would have theirs by then.
  for (const { email } of [unconfirmed, stranger, confirmed]) {
    const response = await stranger.call('POST', '/api/forgot-password', { email })
    responses.push({
      status: response.statusCode,
      body: response.body,
      names: Object.keys(response.headers).toSorted(),
    })
  }
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
  expect(responses[0]!.status).toBe(202)
  await expect.poll(withResetMail).toEqual([accountId])
})

test('requests for links are limited by sender', async () => {
  const eve = api.user()
  await api.state.set(`sallyport:throttle:forgotPassword:${rateLimitPrefix(eve.address)}`, 1_000, 'PX', 60_000)
  expect((await eve.call('POST', '/api/forgot-password', { email: eve.email })).statusCode).toBe(429)
})

test('requests for links are limited by recipient, without an error response', async () => {
  const [ann, bob] = [await registerConfirmed(), await registerConfirmed()]
  // From here on, each mail is followed by a pause of hours.
  await api.state.set(`sallyport:throttle:passwordReset:${ann.user.email}`, 1_000, 'PX', 600_000)
  for (const { user } of [ann, ann, ann, bob]) {
    const response = await api.user().call('POST', '/api/forgot-password', { email: user.email })
    expect(response).toMatchObject({ statusCode: 202, body: '' })
  }
  const ids = [ann.accountId, bob.accountId]
  await expect.poll(async () => (await withResetMail()).filter((id) => ids.includes(id))).toEqual(ids)
})
