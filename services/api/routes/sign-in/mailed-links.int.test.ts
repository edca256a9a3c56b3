import { expect, test } from 'vitest'
import { issueLink } from '#store/postgres/sign-in/one-time-links.ts'
import { password, Person, testApi } from '../../test/api.fixture.ts'

const newPassword = 'another long secret'

const api = await testApi({ SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'http://127.0.0.1' })

const newLink = (accountId: string, email: string, purpose: 'confirm-email' | 'reset-password') =>
  issueLink(api.sql, accountId, { purpose, email, validMs: 60_000 })
const reset = (person: Person, secret: string) =>
  person.call('POST', '/api/reset-password', { secret, newPassword, confirmPassword: newPassword })

/** Registered, with a confirmed address. */
async function registerConfirmed() {
  const person = await new Person(api.app).register()
  const accountId = await person.accountId()
  await api.sql`update accounts set email_confirmed_at = now() where id = ${accountId}`
  return { person, accountId }
}

test('an address is confirmed by its link, in any browser', async () => {
  const ann = await new Person(api.app).register()
  const secret = await newLink(await ann.accountId(), ann.email, 'confirm-email')
  expect((await ann.call('GET', '/api/user')).json().isEmailConfirmed).toBe(false)
  const elsewhere = new Person(api.app)
  expect((await elsewhere.call('POST', '/api/confirm-email', { secret })).statusCode).toBe(204)
  expect((await ann.call('GET', '/api/user')).json().isEmailConfirmed).toBe(true)
  expect((await elsewhere.call('POST', '/api/confirm-email', { secret })).json().code).toBe('link-invalid')
})

test('a confirmation is sent again, but not without end', async () => {
  const ann = await new Person(api.app).register()
  const statuses = []
  for (let round = 0; round < 5; round += 1) {
    statuses.push((await ann.call('POST', '/api/user/email-confirmation')).statusCode)
  }
  expect(statuses).toEqual([202, 202, 202, 429, 429])
  expect((await new Person(api.app).call('POST', '/api/user/email-confirmation')).statusCode).toBe(401)
})

test('a link sets a new password once, ends all sessions and signs nobody in', async () => {
  const { person: ann, accountId } = await registerConfirmed()
  const [secret, older] = [
    await newLink(accountId, ann.email, 'reset-password'),
    await newLink(accountId, ann.email, 'reset-password'),
  ]
  const elsewhere = new Person(api.app, ann.username)
  expect((await reset(elsewhere, secret)).statusCode).toBe(204)
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
  expect((await elsewhere.call('GET', '/api/user')).statusCode).toBe(401)
  for (const used of [secret, older]) expect((await reset(elsewhere, used)).json().code).toBe('link-invalid')
  expect((await elsewhere.signIn(password)).statusCode).toBe(401)
  expect((await elsewhere.signIn(newPassword)).statusCode).toBe(200)
})

test('who has the link gets in at once afterwards, whatever strangers try', async () => {
  const { person: ann, accountId } = await registerConfirmed()
  const strangers = Array.from({ length: 150 }, () => new Person(api.app, ann.username))
  // Attempts are counted before passwords are compared, which may take longer than the delay.
  const attempts = strangers.map((stranger) => stranger.signIn('not the password'))
  const elsewhere = new Person(api.app, ann.username)
  expect((await elsewhere.signIn()).statusCode).toBe(429)
  await Promise.all(attempts)
  await reset(elsewhere, await newLink(accountId, ann.email, 'reset-password'))
  const body = { username: ann.username, password: newPassword }
  expect((await elsewhere.call('POST', '/api/login', body)).statusCode).toBe(200)
}, 60_000)

test('a link is void after another password, for another address, for a disabled account and for another purpose', async () => {
  const { person: ann, accountId } = await registerConfirmed()
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

test('the answer to who forgot a password is the same for every address', async () => {
  const { person: confirmed, accountId } = await registerConfirmed()
  const unconfirmed = await new Person(api.app).register()
  const stranger = new Person(api.app)
  const answers = []
  for (const { email } of [confirmed, unconfirmed, stranger]) {
    const answer = await stranger.call('POST', '/api/forgot-password', { email })
    answers.push({ status: answer.statusCode, body: answer.body, names: Object.keys(answer.headers).toSorted() })
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]!.status).toBe(202)
  const requested = () =>
    api.sql<{ id: string }[]>`select account_id as id from audit_entries where action = 'password-reset-requested'`
  await expect.poll(async () => (await requested()).map(({ id }) => id)).toEqual([accountId])
})

test('an address is asked for links a few times, and nobody is told', async () => {
  const { person, accountId } = await registerConfirmed()
  for (let round = 0; round < 8; round += 1) {
    const answer = await new Person(api.app).call('POST', '/api/forgot-password', { email: person.email })
    expect(answer.statusCode).toBe(202)
  }
  const [row] = await api.sql`
    select count(*)::int as count from audit_entries
    where account_id = ${accountId} and action = 'password-reset-requested'`
  expect(row!['count']).toBeLessThanOrEqual(4)
})
