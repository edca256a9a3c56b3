import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { recordAudit } from '#store/postgres/audit.ts'
import { createEmailConfirmationStore } from '#store/postgres/sign-in/email-confirmations.ts'
import { createPasswordResetStore } from '#store/postgres/sign-in/password-resets.ts'
import { origin, useTestJobs } from './jobs.fixture.ts'

const userInput = 'You won! https://evil.example'

const jobs = await useTestJobs()
const { sql } = jobs

async function register(email = `${randomUUID()}@example.test`): Promise<string> {
  const session = { ...origin, idHash: randomBytes(32), deviceHash: randomBytes(32), device: 'x', network: 'x' }
  const names = { username: `u-${randomUUID()}`, firstName: userInput, lastName: userInput }
  const account = { ...names, email, passwordHash: 'x', baseUrl: 'https://a.test' }
  return (await createAccountStore(sql, invalidateNothing).register(account, session)).id
}

/** Runs all jobs that lead to mails, and then the delivery. */
async function runJobs() {
  for (const job of [jobs.auditMails(), jobs.expiry(), jobs.report('2026-11-16T14:00:00Z'), jobs.delivery()])
    await job.run()
}

/** Gives an account a reason for every kind of mail. */
async function giveReasons(accountId: string) {
  await recordAudit(sql, accountId, 'secure-token-created', userInput, origin)
  await recordAudit(sql, accountId, 'payment-captured', userInput, origin)
  await sql`update accounts set plan = 'pro', plan_until = now() + interval '2 days' where id = ${accountId}`
  await sql`insert into preferences (account_id, usage_reports) values (${accountId}, true) on conflict do nothing`
}

const secretOf = (text: string | undefined) => /#([\w-]+)/.exec(text ?? '')![1]!
const confirm = (secret: string) => createEmailConfirmationStore(sql).confirm(secret, origin)
const requestConfirmation = (accountId: string) => createEmailConfirmationStore(sql).request(accountId, origin)
const requestReset = (email: string) => createPasswordResetStore(sql, invalidateNothing).request(email, origin)

test('row 61: an unconfirmed address gets one confirmation without any user input, and nothing else', async () => {
  const email = `${randomUUID()}@example.test`
  const accountId = await register(email)
  await giveReasons(accountId)
  await requestReset(email)
  await runJobs()
  await runJobs()

  expect(jobs.mails).toHaveLength(1)
  const [mail] = jobs.mails
  expect(mail).toMatchObject({ recipient: email, subject: 'Confirm your email address for Sallyport' })
  expect(mail!.text).toContain('https://gw.example/confirm-email#')
  const secret = secretOf(mail!.text)
  for (const version of [mail!.text, mail!.html, mail!.subject])
    expect(version?.replaceAll(secret, '')).not.toMatch(/won|evil|u-/)

  await confirm(secret)
  await giveReasons(accountId)
  await requestReset(email)
  await runJobs()
  const kinds = jobs.mails.slice(1).map(({ subject }) => subject!.split(' ').slice(0, 2).join(' '))
  expect(new Set(kinds)).toEqual(new Set(['Security alert', 'Activity in', 'Your Pro', 'Your Sallyport', 'Reset your']))
  const reset = jobs.mails.find(({ subject }) => subject!.startsWith('Reset your'))
  for (const version of [reset!.text, reset!.html]) expect(version).toMatch(/Username.*u-[\da-f]{8}-/s)
})

test('row 61: an address gets three confirmations a day, however many accounts ask for them', async () => {
  const name = randomUUID()
  for (let round = 0; round < 4; round += 1) {
    const accountId = await register(`${name}+${round}@example.test`)
    await runJobs()
    await requestConfirmation(accountId)
    await runJobs()
    await sql`delete from accounts where id = ${accountId}`
  }
  expect(jobs.mails).toHaveLength(3)
  await sql`update mail_counts set day = day - 1`
  await register(`${name}@example.test`)
  await runJobs()
  expect(jobs.mails).toHaveLength(4)
})

test('a new address has to be confirmed, and the link for the previous one is invalid', async () => {
  const accounts = createAccountStore(sql, invalidateNothing)
  const accountId = await register()
  await runJobs()
  const { username, isEmailConfirmed } = (await accounts.get(accountId))!
  expect(isEmailConfirmed).toBe(false)
  const names = { username, firstName: 'Ann', lastName: 'Lee' }
  const email = `${randomUUID()}@example.test`
  await accounts.updateProfile(accountId, { ...names, email }, true, origin)
  await runJobs()
  const [first, second] = jobs.mails
  await expect(confirm(secretOf(first!.text))).rejects.toMatchObject({ code: 'link-invalid' })
  await confirm(secretOf(second!.text))
  expect((await accounts.get(accountId))!.isEmailConfirmed).toBe(true)
  expect(
    (await accounts.updateProfile(accountId, { ...names, email: email.toUpperCase() }, true, origin)).isEmailConfirmed,
  ).toBe(true)
  const other = await accounts.updateProfile(accountId, { ...names, email: `x${email}` }, true, origin)
  expect(other.isEmailConfirmed).toBe(false)
})

test('a confirmed address gets no confirmation', async () => {
  const accountId = await register()
  await sql`update accounts set email_confirmed_at = now() where id = ${accountId}`
  await requestConfirmation(accountId)
  await runJobs()
  expect(jobs.mails).toEqual([])
})

test('strangers can use up the reset mails of a day, but the owner has a link that still works for that day', async () => {
  const email = `${randomUUID()}@example.test`
  const accountId = await register(email)
  await sql`update accounts set email_confirmed_at = now() where id = ${accountId}`
  for (let round = 0; round < 12; round += 1) {
    await requestReset(email)
    await runJobs()
  }
  expect(jobs.mails).toHaveLength(10)
  const requireLink = () =>
    createPasswordResetStore(sql, invalidateNothing).requireLink(secretOf(jobs.mails.at(-1)!.text))
  await sql`update one_time_links set expires_at = expires_at - interval '23 hours'`
  await requireLink()
  await sql`update one_time_links set expires_at = expires_at - interval '1 hour'`
  await expect(requireLink()).rejects.toMatchObject({ code: 'link-invalid' })
})
