import { expect, test } from 'vitest'
import { day } from '#core/units.ts'
import { issueLink } from '#store/postgres/sign-in/one-time-links.ts'
import type { TestUser } from '../../test/api.fixture.ts'
import { password, testApi } from '../../test/api.fixture.ts'

const api = await testApi({ SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'http://localhost:3000' })

interface Owner {
  ann: TestUser
  accountId: string
}

async function newOwner(): Promise<Owner> {
  const ann = await api.register()
  const accountId = await ann.accountId()
  await confirmAddress(accountId)
  return { ann, accountId }
}

const confirmAddress = (accountId: string) =>
  api.sql`update accounts set email_confirmed_at = now() where id = ${accountId}`

const moveTo = (user: TestUser, email: string) =>
  user.call('PATCH', '/api/user/profile', { firstName: 'A', lastName: 'B', email, username: user.username })

interface Mail {
  accountId: string
  recipient: string
  newEmail: string
}
const mailsOf = ({ accountId }: Owner) => api.sql<Mail[]>`
  select account_id as "accountId", recipient, content->>'newEmail' as "newEmail" from outgoing_mails
  where account_id = ${accountId} and kind = 'email-changed' order by id`

/** Sends the mail as the worker does. @returns the secret of its link */
const send = ({ accountId, recipient }: Mail) =>
  issueLink(api.sql, accountId, { purpose: 'email-changed', email: recipient, validMs: 3 * day })
const undo = (token: string) => api.user().call('POST', '/api/email-change/undo', { token })
const emailOf = async ({ accountId }: Owner) =>
  (await api.sql`select email from accounts where id = ${accountId}`)[0]!.email

test('row 56: the old address gets a mail about the change, whose link undoes it once, without a session', async () => {
  const owner = await newOwner()
  const { ann } = owner
  expect((await moveTo(ann, 'mallory@example.test')).statusCode).toBe(200)
  const [mail, ...others] = await mailsOf(owner)
  expect(others).toEqual([])
  expect(mail).toMatchObject({ recipient: ann.email, newEmail: 'mallory@example.test' })

  const token = await send(mail!)
  expect((await undo(token)).statusCode).toBe(204)
  expect(await emailOf(owner)).toBe(ann.email)
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
  expect((await undo(token)).json()).toMatchObject({ status: 410, code: 'link-invalid' })

  await ann.signIn(password)
  const actions = (await ann.call('GET', '/api/user/audit')).json().map(({ action }: { action: string }) => action)
  expect(actions).toEqual(expect.arrayContaining(['email-changed', 'email-change-undone']))
})

test('the link expires 72 hours after the change, whenever the mail was sent', async () => {
  const owner = await newOwner()
  await moveTo(owner.ann, 'later@example.test')
  const [mail] = await mailsOf(owner)
  await api.sql`update email_changes set expires_at = expires_at - interval '72 hours'
    where account_id = ${owner.accountId}`
  expect((await undo(await send(mail!))).statusCode).toBe(410)
  expect(await emailOf(owner)).toBe('later@example.test')
})

test('after two changes, only the first link is valid', async () => {
  const owner = await newOwner()
  await moveTo(owner.ann, 'first@example.test')
  await confirmAddress(owner.accountId)
  await moveTo(owner.ann, 'second@example.test')
  const [first, second] = await mailsOf(owner)
  expect(second!.recipient).toBe('first@example.test')
  const late = await send(second!)
  await undo(await send(first!))
  expect(await emailOf(owner)).toBe(owner.ann.email)
  for (const token of [late, await send(second!)]) expect((await undo(token)).statusCode).toBe(410)
  expect(await emailOf(owner)).toBe(owner.ann.email)
})

test('the old address is reserved while the change can be undone', async () => {
  const owner = await newOwner()
  await moveTo(owner.ann, 'away@example.test')
  const mallory = api.user()
  const registration = { username: mallory.username, email: owner.ann.email.toUpperCase(), password }
  expect((await mallory.call('POST', '/api/register', registration)).json().code).toBe('email-taken')
  await mallory.register()
  expect((await moveTo(mallory, owner.ann.email)).json().code).toBe('email-taken')
  const [mail] = await mailsOf(owner)
  expect((await undo(await send(mail!))).statusCode).toBe(204)
})

test('a profile change with the same address sends no mail', async () => {
  const owner = await newOwner()
  await moveTo(owner.ann, owner.ann.email)
  expect(await mailsOf(owner)).toEqual([])
})
