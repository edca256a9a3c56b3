import { pino } from 'pino'
import { afterAll, beforeEach } from 'vitest'
import { createTestClickHouse, createTestDatabase } from '#tools/test/stores.ts'
import { createMetrics } from '#core/metrics.ts'
import { openMailbox } from '#core/stores/mailbox.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import { invalidateNothing } from '#store/postgres/account.fixture.ts'
import { createOutboxStore } from '#store/postgres/mails/outbox.ts'
import { createPlanStore } from '#store/postgres/plans.ts'
import { issueLink } from '#store/postgres/sign-in/one-time-links.ts'
import { createTokenBudgetStore } from '#store/postgres/credentials/token-budgets.ts'
import type { TokenSpendingStore } from '#store/redis/token-spending.ts'
import { createUsageReportStore } from '#store/clickhouse/usage-reports.ts'
import { startMailServer } from '../mails/mail-server.fixture.ts'
import { createMailer } from '../mails/mailer.ts'
import { budgetWarningJob } from './budget-warnings.ts'
import { mailDeliveryJob } from './mail-delivery.ts'
import { planExpiryJob } from './plan-expiry.ts'
import { auditMailJob } from './audit-mails.ts'
import { usageReportJob } from './usage-reports.ts'

export const logger = pino({ level: 'silent' })
export const origin = { clientAddress: '203.0.113.7', userAgent: 'test' }

/** The jobs that lead to mails, on real stores and with a fake mail server, for the tests of one file. */
export async function useTestJobs() {
  // Closed if a later step fails: a process can open only one database of chDB.
  await using opening = new AsyncDisposableStack()
  const database = await createTestDatabase()
  opening.defer(() => database.drop())
  const clickhouse = await createTestClickHouse()
  opening.defer(() => clickhouse.drop())
  const mailServer = await startMailServer()
  opening.defer(() => mailServer.stop())
  const { sql } = database
  const outbox = createOutboxStore(sql)
  const mailbox = await openMailbox(mailServer.url)
  opening.defer(() => mailbox.close())
  const send = createMailer({ mailbox, from: 'Sallyport <no-reply@gw.example>', siteUrl: 'https://gw.example' })
  beforeEach(async () => {
    await sql`truncate accounts cascade`
    mailServer.mails.length = 0
  })
  const opened = opening.move()
  afterAll(() => opened.disposeAsync())
  return {
    sql,
    outbox,
    clickhouse: clickhouse.clickhouse,
    ...mailServer,
    auditMails: () => auditMailJob(outbox, true),
    expiry: (invalidate: Invalidate = invalidateNothing) =>
      planExpiryJob(createPlanStore(sql, invalidate), outbox, true),
    report: (iso: string) =>
      usageReportJob(createUsageReportStore(sql, clickhouse.clickhouse), outbox, () => new Date(iso)),
    warnings: (spending: TokenSpendingStore, now: () => number) =>
      budgetWarningJob({ budgets: createTokenBudgetStore(sql), spending, outbox, now }),
    delivery: (log = logger) =>
      mailDeliveryJob({
        outbox,
        issueLink: (accountId, link) => issueLink(sql, accountId, link),
        send,
        metrics: createMetrics(),
        logger: log,
      }),
  }
}
