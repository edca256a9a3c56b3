import { expect, test } from 'vitest'
import { day } from '#core/units.ts'
import { issueLink } from '#store/postgres/sign-in/one-time-links.ts'
import { invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createManagementKeyStore } from '#store/postgres/sign-in/management-keys.ts'
import { createTwoFactorStore } from '#store/postgres/sign-in/two-factor.ts'
import { password, testApi, type TestUser } from '../../test/api.fixture.ts'

const source = { clientAddress: null, userAgent: null }
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
/** From the undoing on. */
async function actionsOf({ accountId }: Owner): Promise<string[]> {
  const rows = await api.sql<{ action: string }[]>`
    select action from audit_entries where account_id = ${accountId} order by id`
  const actions = rows.map(({ action }) => action)
  return actions.slice(actions.indexOf('email-change-undone'))
}
const addressOf = async ({ accountId }: Owner) => {
  const [address] = await api.sql`
    select email, email_confirmed_at is not null as "isConfirmed" from accounts where id = ${accountId}`
  return address
}

test('row 56: the old address gets a mail about the change, whose link undoes it once, without a session', async () => {
  const owner = await newOwner()
  const { ann } = owner
  expect((await moveTo(ann, 'mallory@example.test')).statusCode).toBe(200)
  const [mail, ...others] = await mailsOf(owner)
  expect(others).toEqual([])
  expect(mail).toMatchObject({ recipient: ann.email, newEmail: 'mallory@example.test' })

  const token = await send(mail!)
  expect((await undo(token)).statusCode).toBe(204)
  // Otherwise, it would get no link for a new password.
  expect(await addressOf(owner)).toEqual({ email: ann.email, isConfirmed: true })
  expect((await ann.call('GET', '/api/user')).statusCode).toBe(401)
  expect((await undo(token)).json()).toMatchObject({ status: 410, code: 'link-invalid' })

  expect((await ann.call('POST', '/api/login', { username: ann.username, password })).statusCode).toBe(401)
  expect(await actionsOf(owner)).toEqual(['email-change-undone', 'password-reset-requested'])
})

test('the link also removes management keys and two-factor sign-in from after the change', async () => {
  const owner = await newOwner()
  const { ann, accountId } = owner
  const keys = createManagementKeyStore(api.sql, invalidateNothing)
  const addKey = (name: string) => keys.create(accountId, { name, scopes: ['logs:read'], days: 1 }, source)
  await addKey('of the owner')
  await moveTo(ann, 'mallory@example.test')
  await addKey('of mallory')
  await api.sql`insert into two_factor (account_id, sealed_secret, enabled_at) values (${accountId}, 'x', now())`
  const [mail] = await mailsOf(owner)
  expect((await undo(await send(mail!))).statusCode).toBe(204)
  expect((await keys.list(accountId)).map(({ name }) => name)).toEqual(['of the owner'])
  expect(await createTwoFactorStore(api.sql).get(accountId)).toBeUndefined()
  expect(await actionsOf(owner)).toEqual([
    'email-change-undone',
    'management-key-deleted',
    'two-factor-disabled',
    'password-reset-requested',
  ])
})

test('two-factor sign-in from before the change stays', async () => {
  const owner = await newOwner()
  await api.sql`insert into two_factor (account_id, sealed_secret, enabled_at) values (${owner.accountId}, 'x', now())`
  await moveTo(owner.ann, 'mallory@example.test')
  const [mail] = await mailsOf(owner)
  expect((await undo(await send(mail!))).statusCode).toBe(204)
  expect(await createTwoFactorStore(api.sql).get(owner.accountId)).toMatchObject({ isEnabled: true })
})

test('the link expires 72 hours after the change, whenever the mail was sent, and others may take the address', async () => {
  const owner = await newOwner()
  await moveTo(owner.ann, 'later@example.test')
  const [mail] = await mailsOf(owner)
  await api.sql`update email_changes set expires_at = expires_at - interval '72 hours'
    where account_id = ${owner.accountId}`
  expect((await undo(await send(mail!))).statusCode).toBe(410)
  expect(await addressOf(owner)).toEqual({ email: 'later@example.test', isConfirmed: false })
  expect((await moveTo(await api.register(), owner.ann.email)).statusCode).toBe(200)
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
  for (const token of [late, await send(second!)]) expect((await undo(token)).statusCode).toBe(410)
  expect(await addressOf(owner)).toMatchObject({ email: owner.ann.email })
})

test('the old address is reserved for its owner while the change can be undone', async () => {
  const owner = await newOwner()
  await moveTo(owner.ann, 'away@example.test')
  const mallory = api.user()
  const registration = { username: mallory.username, email: owner.ann.email.toUpperCase(), password }
  expect((await mallory.call('POST', '/api/register', registration)).json().code).toBe('email-taken')
  await mallory.register()
  expect((await moveTo(mallory, owner.ann.email)).json().code).toBe('email-taken')
  expect((await moveTo(owner.ann, owner.ann.email)).statusCode).toBe(200)
  const [mail] = await mailsOf(owner)
  expect((await undo(await send(mail!))).statusCode).toBe(204)
})

test('a profile change with the same address sends no mail', async () => {
  const owner = await newOwner()
  await moveTo(owner.ann, owner.ann.email)
  expect(await mailsOf(owner)).toEqual([])
})
