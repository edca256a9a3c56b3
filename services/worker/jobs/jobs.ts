import type { Registry } from 'prom-client'
import type { Config } from '#core/config.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import type { Logger } from '#core/logger.ts'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import type { QueueShards } from '#core/redis/queue-shards.ts'
import type { Redis } from '#core/redis/redis.ts'
import { type ClickHouseClient, openClickHouse } from '#core/stores/clickhouse.ts'
import { openMailbox } from '#core/stores/mailbox.ts'
import { storePatienceMs } from '#core/stores/patience.ts'
import type { Sql } from '#core/stores/postgres.ts'
import { day } from '#core/units.ts'
import { issueLink, type NewLink } from '#store/postgres/sign-in/one-time-links.ts'
import { createOutboxStore } from '#store/postgres/mails/outbox.ts'
import { createPlanStore } from '#store/postgres/plans.ts'
import { createTokenBudgetStore } from '#store/postgres/credentials/token-budgets.ts'
import { createTokenSpendingStore } from '#store/redis/token-spending.ts'
import { createLogArchive } from '#store/clickhouse/logs/log-archive.ts'
import { createArchivedDayStore } from '#store/postgres/archived-days.ts'
import { createUsageReportStore } from '#store/clickhouse/usage-reports.ts'
import { type AlertJobConfig, createAlertJobs } from '../alerts/alert-jobs.ts'
import { createMailer } from '../mails/mailer.ts'
import { budgetWarningJob } from './budget-warnings.ts'
import { logArchiveJob } from './log-archive.ts'
import { mailDeliveryJob } from './mail-delivery.ts'
import { planExpiryJob } from './plan-expiry.ts'
import { type ScheduledJob, startSchedule } from './schedule.ts'
import { auditMailJob } from './audit-mails.ts'
import { usageReportJob } from './usage-reports.ts'

interface JobResources {
  sql: Sql
  clickhouse: ClickHouseClient
  /** Stores what tokens have spent; proxies listen here for changes of accounts. */
  state: Redis
  queue: QueueShards
  /** Limits concurrent name look-ups. */
  lookups: SharedLimit
}

type ArchiveConfig = Pick<Config, 'logArchiveUrl' | 'logRetentionDays' | 'clickhouseUrl' | 'dataDir'>

/** Starts all scheduled jobs. Without a mail server, no mails are written. */
export async function startJobs(
  { sql, clickhouse, state, queue, lookups }: JobResources,
  config: AlertJobConfig & ArchiveConfig & Pick<Config, 'mail'>,
  metrics: Registry,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  const { mail } = config
  const outbox = createOutboxStore(sql)
  const mailbox = mail && (await openMailbox(mail.smtpUrl))
  const alerts = createAlertJobs({ sql, clickhouse, state, queue, lookups, metrics, logger }, config)
  const jobs: ScheduledJob[] = [
    ...alerts.jobs,
    auditMailJob(outbox, mailbox !== undefined),
    planExpiryJob(createPlanStore(sql, createInvalidation(state, logger)), outbox, mailbox !== undefined),
    { name: 'mail-pruning', everyMs: day, run: () => outbox.prune() },
  ]
  if (mailbox) {
    const send = createMailer({ mailbox, ...mail })
    const issue = (accountId: string, link: NewLink) => issueLink(sql, accountId, link)
    jobs.push(mailDeliveryJob({ outbox, issueLink: issue, send, metrics, logger }))
    jobs.push(usageReportJob(createUsageReportStore(sql, clickhouse), outbox))
    const [budgets, spending] = [createTokenBudgetStore(sql), createTokenSpendingStore(state)]
    jobs.push(budgetWarningJob({ budgets, spending, outbox }))
  }
  const { logArchiveUrl, logRetentionDays } = config
  if (logArchiveUrl !== undefined) {
    const open = async () => {
      const patient = await openClickHouse(config, storePatienceMs.maintenance)
      return { archive: createLogArchive(patient, logArchiveUrl), close: () => patient.close() }
    }
    jobs.push(logArchiveJob({ open, archivedDays: createArchivedDayStore(sql), logRetentionDays }))
  }
  const schedule = startSchedule({ shard: queue[0], jobs, metrics, logger })
  return {
    async stop() {
      await schedule.stop()
      mailbox?.close()
      await alerts.close()
    },
  }
}
