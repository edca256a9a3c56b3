import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '#tools/test/stores.ts'
import { createMetrics } from '#core/metrics.ts'
import { openMailbox, type Sql } from '#core/resources.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { createAccountStore } from '#store/postgres/accounts.ts'
import { recordAudit } from '#store/postgres/audit.ts'
import { issueLink, type NewLink } from '#store/postgres/sign-in/one-time-links.ts'
import { createOutboxStore, type OutboxStore } from '#store/postgres/outbox.ts'
import { startMailServer } from '../mails/mail-server.fixture.ts'
import { createMailer } from '../mails/mailer.ts'
import { alertJob } from './alerts.ts'
import { mailDeliveryJob } from './mail-delivery.ts'

const origin = { clientAddress: '203.0.113.7', userAgent: 'test' }
let database: Awaited<ReturnType<typeof createTestDatabase>>
let mailServer: Awaited<ReturnType<typeof startMailServer>>
let sql: Sql
let outbox: OutboxStore

beforeAll(async () => {
  database = await createTestDatabase()
  mailServer = await startMailServer()
  sql = database.sql
  outbox = createOutboxStore(sql)
})
afterAll(async () => {
  await mailServer.stop()
  await database.drop()
})
beforeEach(async () => {
  await sql`truncate accounts cascade`
  mailServer.mails.length = 0
})

const issue = (accountId: string, link: NewLink) => issueLink(sql, accountId, link)

async function deliver(): Promise<void> {
  const mailbox = openMailbox(mailServer.url)
  const send = createMailer({ mailbox, from: 'Sallyport <no-reply@gw.example>', siteUrl: 'https://gw.example' })
  await mailDeliveryJob({
    outbox,
    issueLink: issue,
    send,
    metrics: createMetrics(),
    logger: pino({ level: 'silent' }),
  }).run()
  mailbox.close()
}

test('what a stolen session does is told to the owner', async () => {
  const accountId = await insertAccount(sql)
  const actions = [
    'secure-token-revealed',
    'proxy-config-changed',
    'two-factor-disabled',
    'recovery-code-used',
  ] as const
  for (const action of actions) await recordAudit(sql, accountId, action, null, origin)
  await alertJob(outbox, true).run()
  await deliver()
  expect(mailServer.mails).toHaveLength(1)
  for (const sentence of [
    'A secure token was shown in full.',
    'The proxy configuration was changed.',
    'Two-factor sign-in was switched off.',
    'A recovery code was used in place of a code.',
  ]) {
    expect(mailServer.mails[0]!.text).toContain(sentence)
  }
})

test('a deletion is told to its owner, and then nothing of the account is left', async () => {
  const accountId = await insertAccount(sql, { email: 'gone@example.com' })
  await createAccountStore(sql, true).remove(accountId, origin, async () => undefined)
  await deliver()
  expect(mailServer.mails.map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ['gone@example.com', 'Your Sallyport account was deleted'],
  ])
  expect(await sql`select 1 from outgoing_mails`).toHaveLength(0)
})

test('the secret of a link is forgotten once the mail is sent', async () => {
  const accountId = await insertAccount(sql, { email: 'old@example.com' })
  const profile = { firstName: 'A', lastName: 'B', username: 'ann-b', email: 'new@example.com' }
  await createAccountStore(sql, true).updateProfile(accountId, profile, true, origin)
  await deliver()
  expect(mailServer.mails.map(({ recipient }) => recipient)).toEqual(['old@example.com'])
  const [, token] = /undo-email-change#([\w-]{43})\b/.exec(mailServer.mails[0]!.text!)!
  expect(await sql`select 1 from outgoing_mails where content::text like ${`%${token}%`}`).toHaveLength(0)
})

test('without a mail server no mail waits for one', async () => {
  const accountId = await insertAccount(sql)
  const store = createAccountStore(sql)
  const profile = { firstName: 'A', lastName: 'B', username: 'ann-c', email: 'other@example.com' }
  await store.updateProfile(accountId, profile, true, origin)
  await store.remove(accountId, origin, async () => undefined)
  expect(await sql`select 1 from outgoing_mails`).toHaveLength(0)
})
