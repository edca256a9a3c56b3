import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { day } from '#core/units.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { recordAudit } from '#store/postgres/audit.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { createUsageReportStore } from '#store/clickhouse/usage-reports.ts'
import { origin, useTestJobs } from './jobs.fixture.ts'
import type { ScheduledJob } from './schedule.ts'
import { auditMailJob } from './audit-mails.ts'
import { usageReportJob } from './usage-reports.ts'

const jobs = await useTestJobs()
const { sql } = jobs

/** Runs a job in two workers at once. */
const twice = (job: () => ScheduledJob) => Promise.all([job().run(), job().run()])

const addMail = async () => {
  const accountId = await insertAccount(sql)
  const content = { kind: 'plan-ending', name: 'A', timezone: 'UTC', plan: 'pro', planUntil: '2026-11-20T13:00:00Z' }
  await jobs.outbox.add(accountId, { dedupeKey: '1', recipient: 'a@Example.com', content: content as never })
  return accountId
}
const mailState = async () =>
  (await sql`select attempts, sent_at is not null as sent, failed_at is not null as failed from outgoing_mails`)[0]

const daysFromNow = (days: number) => new Date(Date.now() + days * day)

const planOf = async (id: string) => (await sql`select plan from accounts where id = ${id}`)[0]!.plan

const reader = async (timezone: string, usageReports = true) => {
  const id = await insertAccount(sql)
  await sql`insert into preferences (account_id, usage_reports, timezone) values (${id}, ${usageReports}, ${timezone})`
  return id
}
const written = async () =>
  (await sql<{ accountId: string }[]>`select account_id as "accountId" from outgoing_mails`).map((row) => row.accountId)

describe('mails about audit entries', () => {
  test('the owner of an account is notified once of each entry, in one mail of a kind', async () => {
    const accountId = await insertAccount(sql, { email: 'ada@example.com', username: 'ada' })
    await recordAudit(sql, accountId, 'password-changed', null, origin)
    await recordAudit(sql, accountId, 'secure-token-created', '<ci> & co', origin)
    await recordAudit(sql, accountId, 'plan-changed', 'Pro Plan', origin)
    await recordAudit(sql, accountId, 'signed-in', null, origin)
    await twice(jobs.auditMails)
    await twice(jobs.delivery)
    await twice(jobs.auditMails)
    await twice(jobs.delivery)

    const [notice, activity] = jobs.mails.toSorted((a, b) => b.subject!.localeCompare(a.subject!))
    expect(jobs.mails).toHaveLength(2)
    expect(notice).toMatchObject({ subject: 'Security alert for your Sallyport account', recipient: 'ada@example.com' })
    expect(notice!.text).toContain('The password was changed.')
    expect(notice!.text).toContain('What: <ci> & co')
    expect(activity!.text).toContain('What: Pro Plan')
  })

  test('preferences decide which mails are sent', async () => {
    const accountId = await insertAccount(sql)
    await sql`insert into preferences (account_id, security_alerts, email_notifications) values (${accountId}, false, false)`
    await recordAudit(sql, accountId, 'password-changed', null, origin)
    await recordAudit(sql, accountId, 'payment-captured', null, origin)
    await jobs.auditMails().run()
    await jobs.delivery().run()
    expect(jobs.mails).toEqual([])
    expect(await sql`select 1 from audit_entries where notified_at is null`).toHaveLength(0)
  })

  test('entries that only a newer release knows are left to its workers', async () => {
    const accountId = await insertAccount(sql)
    await sql`insert into audit_entries (account_id, action) values (${accountId}, 'of-a-newer-release')`
    await jobs.auditMails().run()
    expect(await sql`select 1 from audit_entries where notified_at is null`).toHaveLength(1)
  })

  test('without a mail server entries are only marked, and not sent by a later one', async () => {
    const accountId = await insertAccount(sql)
    await recordAudit(sql, accountId, 'password-changed', null, origin)
    await auditMailJob(jobs.outbox, false).run()
    await jobs.auditMails().run()
    expect(await sql`select 1 from outgoing_mails`).toHaveLength(0)
  })

  test('two workers report each of 600 entries once', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => insertAccount(sql)))
    for (const id of ids) {
      await Promise.all(Array.from({ length: 20 }, () => recordAudit(sql, id, 'api-key-created', 'k', origin)))
    }
    await twice(jobs.auditMails)
    const reported = await sql<{ events: number }[]>`
      select sum(jsonb_array_length(content->'events'))::int as events from outgoing_mails group by account_id`
    expect(reported).toHaveLength(30)
    expect(new Set(reported.map(({ events }) => events))).toEqual(new Set([20]))
  })
})

describe('delivery', () => {
  test('a worker that stops sends no more of the mails that wait', async () => {
    await addMail()
    await jobs.delivery().run(AbortSignal.abort())
    expect(await mailState()).toEqual({ attempts: 0, sent: false, failed: false })
  })

  test.each([
    ['a temporary error', 'rejections', 451],
    ['an error that concerns every mail', 'senderRejections', 530],
  ] as const)('after %s a mail is sent later', async (_error, rejections, code) => {
    await addMail()
    await sql`truncate mail_counts`
    jobs[rejections].push(code)
    await jobs.delivery().run()
    expect(await mailState()).toEqual({ attempts: 1, sent: false, failed: false })
    await jobs.delivery().run()
    expect(jobs.mails).toHaveLength(0)
    await sql`update outgoing_mails set next_attempt_at = now()`
    await jobs.delivery().run()
    expect(await mailState()).toEqual({ attempts: 2, sent: true, failed: false })
    expect(jobs.mails).toHaveLength(1)
    expect(await sql`select mails from mail_counts`).toEqual([{ mails: 1 }])
  })

  test('after a permanent error it is not, and the log does not name the recipient', async () => {
    await addMail()
    jobs.rejections.push(550)
    const lines: string[] = []
    await jobs.delivery(pino({}, { write: (line) => void lines.push(line) })).run()
    expect(await mailState()).toEqual({ attempts: 1, sent: false, failed: true })
    expect(lines).toEqual([expect.stringContaining('550 <[recipient]> rejected')])
    expect(lines.join('')).not.toMatch(/a@example/i)
  })
})

describe('plan expiry', () => {
  const invalidated: string[] = []
  const expiry = () => jobs.expiry(async (id) => void invalidated.push(id))
  test('an account goes back to free three days after the end of its paid month, with a mail', async () => {
    const over = await insertAccount(sql, { plan: 'pro', planUntil: daysFromNow(-3.1), email: 'over@example.com' })
    const inGrace = await insertAccount(sql, { plan: 'pro', planUntil: daysFromNow(-2.9) })
    const given = await insertAccount(sql, { plan: 'enterprise' })
    await twice(expiry)
    expect([await planOf(over), await planOf(inGrace), await planOf(given)]).toEqual(['free', 'pro', 'enterprise'])
    expect(invalidated).toEqual([over])

    await jobs.auditMails().run()
    await jobs.delivery().run()
    expect(jobs.mails.map(({ recipient }) => recipient)).toEqual(['over@example.com'])
    expect(jobs.mails[0]!.text).toContain('Free Plan, because the paid time of the Pro Plan is over')
  })

  test('its owner is reminded some days before the end, once a month', async () => {
    const accountId = await insertAccount(sql, { plan: 'pro', planUntil: daysFromNow(2), email: 'soon@example.com' })
    await insertAccount(sql, { plan: 'pro', planUntil: daysFromNow(5) })
    const disabled = await insertAccount(sql, { plan: 'pro', planUntil: daysFromNow(2) })
    await sql`update accounts set disabled_at = now() where id = ${disabled}`
    await twice(expiry)
    await expiry().run()
    await jobs.delivery().run()
    expect(jobs.mails.map(({ recipient, subject }) => [recipient, subject!.slice(0, 22)])).toEqual([
      ['soon@example.com', 'Your Pro Plan ends on '],
    ])
    await sql`update accounts set plan_until = ${daysFromNow(2.5)} where id = ${accountId}`
    await sql`update outgoing_mails set created_at = now() - interval '30 days'`
    await expiry().run()
    expect(await sql`select 1 from outgoing_mails`).toHaveLength(2)
  })
})

describe('weekly usage report', () => {
  test('is sent on Monday at 08:00 in the timezone of the user, once a week', async () => {
    const newYork = await reader('America/New_York')
    const kolkata = await reader('Asia/Kolkata')
    const unknown = await reader('Mars/Olympus')
    await reader('UTC', false)
    await sql`update accounts set disabled_at = now() where id = ${await reader('UTC')}`
    for (const [time, accounts] of [
      ['2026-11-16T02:29:00Z', []],
      ['2026-11-16T02:30:00Z', [kolkata]],
      ['2026-11-16T12:59:00Z', [kolkata, unknown]],
      ['2026-11-16T13:00:00Z', [kolkata, unknown, newYork]],
      ['2026-11-17T10:00:00Z', [kolkata, unknown, newYork]],
      ['2026-11-23T13:00:00Z', [kolkata, unknown, newYork, kolkata, unknown, newYork]],
    ] as const) {
      await twice(() => jobs.report(time))
      expect((await written()).toSorted()).toEqual(accounts.toSorted())
    }
  })

  test('counts the calendar week in the timezone of the user and the one before', async () => {
    const accountId = await reader('America/New_York')
    const at = (iso: string, changes = {}) =>
      requestEvent({ accountId, id: uuidv7({ msecs: Date.parse(iso) }), ...changes })
    await storeEvents(jobs.clickhouse, [
      at('2026-11-09T04:59:00Z', { model: 'older' }),
      at('2026-11-09T05:00:00Z'),
      at('2026-11-12T12:00:00Z', { status: 500 }),
      at('2026-11-16T04:59:00Z', { status: 0, model: 'claude', costNanoUsd: null }),
      at('2026-11-16T05:00:00Z', { model: 'newer' }),
      at('2026-11-12T12:00:00Z', { accountId: uuidv7(), model: 'not theirs' }),
    ])
    await jobs.report('2026-11-16T14:00:00Z').run()
    await jobs.delivery().run()
    const [mail] = jobs.mails
    expect(mail!.subject).toBe('Your Sallyport week: 3 requests')
    expect(mail!.text).toContain('from Monday, November 9 to Sunday, November 15')
    expect(mail!.text).toContain('Requests: 3 (week before: 1)')
    expect(mail!.text).toContain('Success rate: 33.3 % (week before: 100.0 %)')
    expect(mail!.text).toContain('Cost: $0.00074 (week before: $0.00037)\nWithout a known cost: 1 request\n')
    expect(mail!.text).toContain('\n\ngpt-4o: 2 requests, $0.00074\nclaude: 1 request, –\n\n')
  })

  test('is sent to all other users if that of one can not be written', async () => {
    const [first, broken, last] = [await reader('UTC'), await reader('UTC'), await reader('UTC')]
    const store = createUsageReportStore(sql, jobs.clickhouse)
    const totals: typeof store.totals = (accountId, from, until) =>
      accountId === broken ? Promise.reject(new Error('too slow')) : store.totals(accountId, from, until)
    const job = usageReportJob({ ...store, totals }, jobs.outbox, () => new Date('2026-11-16T08:00:00Z'))
    await expect(job.run()).rejects.toThrow('1 usage reports could not be written')
    expect((await written()).toSorted()).toEqual([first, last].toSorted())
  })
})
