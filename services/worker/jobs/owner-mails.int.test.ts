import { expect, test } from 'vitest'
import { insertAccount, invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { recordAudit } from '#store/postgres/audit.ts'
import { createPreferencesStore } from '#store/postgres/preferences.ts'
import { createEmailChangeStore } from '#store/postgres/sign-in/email-changes.ts'
import { origin, useTestJobs } from './jobs.fixture.ts'

const jobs = await useTestJobs()
const { sql } = jobs

test('the owner is notified of sensitive actions', async () => {
  const accountId = await insertAccount(sql)
  const notices = {
    'secure-token-revealed': 'A secure token was shown in full.',
    'secure-token-rotated': 'A secure token was rotated.',
    'proxy-config-changed': 'The proxy configuration was changed.',
    'two-factor-disabled': 'Two-factor sign-in was switched off.',
    'recovery-code-used': 'A recovery code was used in place of a code.',
    'management-key-created': 'A management key was created.',
    'token-bodies-logged': 'Bodies of a secure token’s requests are logged from now on.',
  } as const
  for (const action of Object.keys(notices) as (keyof typeof notices)[]) {
    await recordAudit(sql, accountId, action, null, origin)
  }
  await jobs.auditMails().run()
  await jobs.delivery().run()
  expect(jobs.mails).toHaveLength(1)
  for (const sentence of Object.values(notices)) expect(jobs.mails[0]!.text).toContain(sentence)
})

test('the owner is notified of another username, and that security alerts were switched off, once', async () => {
  const email = 'quiet@example.com'
  const accountId = await insertAccount(sql, { email })
  const profile = { firstName: 'A', lastName: 'B', username: 'ann-d', email }
  const preferences = createPreferencesStore(sql)
  for (const change of [
    () => createAccountStore(sql, invalidateNothing, true).updateProfile(accountId, profile, false, origin),
    () => preferences.save(accountId, { securityAlerts: false }, origin),
    () => preferences.save(accountId, { securityAlerts: false, theme: 'dark' }, origin),
    () => recordAudit(sql, accountId, 'secure-token-revealed', null, origin),
  ]) {
    await change()
    await jobs.auditMails().run()
    await jobs.delivery().run()
  }
  const [renamed, silenced, ...others] = jobs.mails.map(({ text }) => text)
  expect(renamed).toMatch(/The username was changed.*\n.*What: ann-d/s)
  expect(silenced).toContain('Security alerts were switched off')
  expect(others).toEqual([])
})

test('the owner is notified of a deletion, and then nothing of the account is left', async () => {
  const accountId = await insertAccount(sql, { email: 'gone@example.com' })
  await createAccountStore(sql, invalidateNothing, true).remove(accountId, origin)
  await jobs.delivery().run()
  expect(jobs.mails.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ['gone@example.com', 'Your Sallyport account was deleted'],
  ])
  expect(await sql`select 1 from outgoing_mails`).toHaveLength(0)
})

test('the secret of a link is in its mail and nowhere else', async () => {
  const accountId = await insertAccount(sql, { email: 'old@example.com' })
  const profile = { firstName: 'A', lastName: 'B', username: 'ann-b', email: 'new@example.com' }
  await createAccountStore(sql, invalidateNothing, true).updateProfile(accountId, profile, true, origin)
  await jobs.delivery().run()
  expect(jobs.mails.map(({ recipient }) => recipient)).toEqual(['old@example.com'])
  const [, token] = /undo-email-change#([\w-]{43})\b/.exec(jobs.mails[0]!.text!)!
  expect(await sql`select 1 from outgoing_mails m where m::text like ${`%${token}%`}`).toHaveLength(0)
  await createEmailChangeStore(sql, invalidateNothing).undo(token!, origin)
  expect(await sql`select email from accounts where id = ${accountId}`).toEqual([{ email: 'old@example.com' }])
})

test('without a mail server no mail waits for one', async () => {
  const accountId = await insertAccount(sql)
  const store = createAccountStore(sql, invalidateNothing)
  const profile = { firstName: 'A', lastName: 'B', username: 'ann-c', email: 'other@example.com' }
  await store.updateProfile(accountId, profile, true, origin)
  await store.remove(accountId, origin)
  expect(await sql`select 1 from outgoing_mails`).toHaveLength(0)
})
