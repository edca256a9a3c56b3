import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestRedis } from '#tools/test/stores.ts'
import { createMetrics } from '#core/metrics.ts'
import { openQueueConsumer, type Sql } from '#core/resources.ts'
import { day } from '#core/units.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { recordAudit } from '#store/postgres/audit.ts'
import { requestEvent } from '#store/clickhouse/request-event.fixture.ts'
import { toRows } from '#store/clickhouse/request-log-rows.ts'
import { createRequestLogStore } from '#store/clickhouse/request-logs.ts'
import { alertJob } from './alerts.ts'
import { logger, openTestJobs, origin, type TestJobs } from './jobs.fixture.ts'
import { type ScheduledJob, startSchedule } from './schedule.ts'

let jobs: TestJobs
let sql: Sql

beforeAll(async () => {
  jobs = await openTestJobs()
  sql = jobs.sql
})
afterAll(() => jobs.close())
beforeEach(() => jobs.empty())

/** The same round in two workers at once. */
const twice = (job: () => ScheduledJob) => Promise.all([job().run(), job().run()])

const addMail = async () => {
  const accountId = await insertAccount(sql)
  const content = { kind: 'plan-ending', name: 'A', timezone: 'UTC', plan: 'pro', planUntil: '2026-11-20T13:00:00Z' }
  await jobs.outbox.add(accountId, { dedupeKey: '1', recipient: 'a@example.com', content: content as never })
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

describe('alerts', () => {
  test('what happened to an account reaches its owner once, in one mail of a kind', async () => {
    const accountId = await insertAccount(sql, { email: 'ada@example.com', username: 'ada' })
    await recordAudit(sql, accountId, 'password-changed', null, origin)
    await recordAudit(sql, accountId, 'secure-token-created', '<ci> & co', origin)
    await recordAudit(sql, accountId, 'plan-changed', 'Pro Plan', origin)
    await recordAudit(sql, accountId, 'signed-in', null, origin)
    await twice(jobs.alerts)
    await twice(jobs.delivery)
    await twice(jobs.alerts)
    await twice(jobs.delivery)

    const [alert, activity] = jobs.mails.toSorted((a, b) => b.subject!.localeCompare(a.subject!))
    expect(jobs.mails).toHaveLength(2)
    expect(alert).toMatchObject({ subject: 'Security alert for your Sallyport account', recipient: 'ada@example.com' })
    expect(alert!.text).toContain('The password was changed.')
    expect(alert!.text).toContain('What: <ci> & co')
    expect(alert!.html).toContain('&lt;ci&gt; &amp; co')
    expect(alert!.html).toContain('https://gw.example/profile')
    expect(activity!.text).toContain('What: Pro Plan')
  })

  test('preferences decide which ones', async () => {
    const accountId = await insertAccount(sql)
    await sql`insert into preferences (account_id, security_alerts, email_notifications) values (${accountId}, false, false)`
    await recordAudit(sql, accountId, 'password-changed', null, origin)
    await recordAudit(sql, accountId, 'payment-captured', null, origin)
    await jobs.alerts().run()
    await jobs.delivery().run()
    expect(jobs.mails).toEqual([])
    expect(await sql`select 1 from audit_entries where notified_at is null`).toHaveLength(0)
  })

  test('without a mail server they are only marked, and a later one does not send old ones', async () => {
    const accountId = await insertAccount(sql)
    await recordAudit(sql, accountId, 'password-changed', null, origin)
    await alertJob(jobs.outbox, false).run()
    await jobs.alerts().run()
    expect(await sql`select 1 from outgoing_mails`).toHaveLength(0)
  })

  test('two workers and 600 entries: everything is told once', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => insertAccount(sql)))
    for (const id of ids) {
      await Promise.all(Array.from({ length: 20 }, () => recordAudit(sql, id, 'api-key-created', 'k', origin)))
    }
    await twice(jobs.alerts)
    const told = await sql<{ events: number }[]>`
      select sum(jsonb_array_length(content->'events'))::int as events from outgoing_mails group by account_id`
    expect(told).toHaveLength(30)
    expect(new Set(told.map(({ events }) => events))).toEqual(new Set([20]))
  })
})

describe('delivery', () => {
  test('a mail server that is busy gets the mail later', async () => {
    await addMail()
    jobs.refusals.push(451)
    await jobs.delivery().run()
    expect(await mailState()).toEqual({ attempts: 1, sent: false, failed: false })
    await jobs.delivery().run()
    expect(jobs.mails).toHaveLength(0)
    await sql`update outgoing_mails set next_attempt_at = now()`
    await jobs.delivery().run()
    expect(await mailState()).toEqual({ attempts: 2, sent: true, failed: false })
    expect(jobs.mails).toHaveLength(1)
  })

  test('a refused mail is given up', async () => {
    await addMail()
    jobs.refusals.push(550)
    await jobs.delivery().run()
    expect(await mailState()).toEqual({ attempts: 1, sent: false, failed: true })
  })

  test('the mails of a deleted account are not sent', async () => {
    await sql`delete from accounts where id = ${await addMail()}`
    await jobs.delivery().run()
    expect(jobs.mails).toHaveLength(0)
  })
})

describe('plan expiry', () => {
  const invalidated: string[] = []
  const expiry = () => jobs.expiry(async (id) => void invalidated.push(id))
  test('a paid month that ends goes back to free after three days of grace, with a mail', async () => {
    const over = await insertAccount(sql, { plan: 'pro', planUntil: daysFromNow(-3.1), email: 'over@example.com' })
    const inGrace = await insertAccount(sql, { plan: 'pro', planUntil: daysFromNow(-2.9) })
    const given = await insertAccount(sql, { plan: 'enterprise' })
    await twice(expiry)
    expect([await planOf(over), await planOf(inGrace), await planOf(given)]).toEqual(['free', 'pro', 'enterprise'])
    expect(invalidated).toEqual([over])

    await jobs.alerts().run()
    await jobs.delivery().run()
    expect(jobs.mails.map(({ recipient }) => recipient)).toEqual(['over@example.com'])
    expect(jobs.mails[0]!.text).toContain('Free Plan, because the paid time of the Pro Plan is over')
  })

  test('some days before the end its owner is reminded, once a month', async () => {
    const accountId = await insertAccount(sql, { plan: 'pro', planUntil: daysFromNow(2), email: 'soon@example.com' })
    await insertAccount(sql, { plan: 'pro', planUntil: daysFromNow(5) })
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
  test('comes on Monday at 08:00 of the reader, once a week', async () => {
    const [newYork, kolkata, unknown] = [
      await reader('America/New_York'),
      await reader('Asia/Kolkata'),
      await reader('Mars/Olympus'),
    ]
    await reader('UTC', false)
    await twice(() => jobs.report('2026-11-16T02:29:00Z'))
    expect(await written()).toEqual([])
    await twice(() => jobs.report('2026-11-16T02:30:00Z'))
    expect(await written()).toEqual([kolkata])
    await twice(() => jobs.report('2026-11-16T12:59:00Z'))
    expect(new Set(await written())).toEqual(new Set([kolkata, unknown]))
    await twice(() => jobs.report('2026-11-16T13:00:00Z'))
    expect(new Set(await written())).toEqual(new Set([kolkata, unknown, newYork]))
    await twice(() => jobs.report('2026-11-17T10:00:00Z'))
    expect(await written()).toHaveLength(3)
    await twice(() => jobs.report('2026-11-23T13:00:00Z'))
    expect(await written()).toHaveLength(6)
  })

  test('counts the calendar week of the reader and the one before', async () => {
    const accountId = await reader('America/New_York')
    const at = (iso: string, changes = {}) => requestEvent({ accountId, ...withTime(iso), ...changes })
    const logs = createRequestLogStore(jobs.clickhouse, { logRetentionDays: 90 })
    await logs.insert(
      [
        toRows([
          at('2026-11-09T04:59:00Z', { model: 'older' }),
          at('2026-11-09T05:00:00Z'),
          at('2026-11-12T12:00:00Z', { status: 500 }),
          at('2026-11-16T04:59:00Z', { model: 'gpt-5' }),
          at('2026-11-16T05:00:00Z', { model: 'newer' }),
        ]),
      ],
      'report',
    )
    await jobs.report('2026-11-16T14:00:00Z').run()
    await jobs.delivery().run()
    const [mail] = jobs.mails
    expect(mail!.subject).toBe('Your Sallyport week: 3 requests')
    expect(mail!.text).toContain('from Monday, November 9 to Sunday, November 15')
    expect(mail!.text).toContain('Requests: 3 (week before: 1)')
    expect(mail!.text).toContain('Success rate: 66.7 % (week before: 100.0 %)')
    expect(mail!.text).toContain('gpt-4o: 2 requests')
    expect(mail!.text).not.toMatch(/older|newer/)
  })
})

test('the schedule runs jobs, drops those of older versions and outlives a failing one', async () => {
  const redis = openQueueConsumer(await createTestRedis())
  const metrics = createMetrics()
  const shard = { redis, tag: '' }
  const older = startSchedule({
    shard,
    jobs: [{ name: 'gone', everyMs: 50, run: async () => undefined }],
    metrics,
    logger,
  })
  await older.stop()
  const rounds = vi.fn(async () => {
    throw new Error('as told')
  })
  const job = { name: 'round', everyMs: 50, run: rounds }
  const schedules = [createMetrics(), createMetrics()].map((own) =>
    startSchedule({ shard, jobs: [job], metrics: own, logger }),
  )
  await expect.poll(() => rounds.mock.calls.length).toBeGreaterThan(3)
  await Promise.all(schedules.map((schedule) => schedule.stop()))
  expect(await redis.keys('*gone*')).toEqual([])
  redis.disconnect()
})

/** The id of a log carries its time. */
function withTime(iso: string): { id: string } {
  const hex = Date.parse(iso).toString(16).padStart(12, '0')
  const random = Math.random().toString(16).slice(2, 14).padEnd(12, '0')
  return { id: `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${random}` }
}
