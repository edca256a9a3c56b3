import type { Config } from '#core/config.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import { createOutgoingRules } from '#shared/outgoing-rules.ts'
import { createVault } from '#shared/vault.ts'
import { openClickHouse } from '#core/stores/clickhouse.ts'
import { openMailbox } from '#core/stores/mailbox.ts'
import { storePatienceMs } from '#core/stores/patience.ts'
import { day } from '#core/units.ts'
import { createAlertMeasureStore } from '#store/clickhouse/analytics/alert-measures.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'
import { createEvaluationStore } from '#store/postgres/alerts/evaluations.ts'
import { createWebhookDeliveryStore } from '#store/postgres/alerts/webhook-deliveries.ts'
import { issueLink, type NewLink } from '#store/postgres/sign-in/one-time-links.ts'
import { pruneSignIns } from '#store/postgres/sign-in/prune-sign-ins.ts'
import { createOutboxStore } from '#store/postgres/mails/outbox.ts'
import { createPlanStore } from '#store/postgres/plans.ts'
import { createTokenBudgetStore } from '#store/postgres/credentials/token-budgets.ts'
import { createTokenSpendingStore } from '#store/redis/token-spending.ts'
import { createLogArchive } from '#store/clickhouse/logs/log-archive.ts'
import { createArchivedDayStore } from '#store/postgres/archived-days.ts'
import { createUsageReportStore } from '#store/clickhouse/usage-reports.ts'
import type { ProcessParts } from '#core/process/process-parts.ts'
import { alertEvaluationJob } from '../alerts/alert-evaluation.ts'
import { createWebhookSender } from '../webhooks/send-webhook.ts'
import { webhookDeliveryJob } from '../webhooks/webhook-delivery.ts'
import type { WorkerResources } from '../worker-resources.ts'
import { createMailer } from '../mails/mailer.ts'
import { budgetWarningJob } from './budget-warnings.ts'
import { logArchiveJob } from './log-archive.ts'
import { mailDeliveryJob } from './mail-delivery.ts'
import { planExpiryJob } from './plan-expiry.ts'
import { type ScheduledJob, startSchedule } from './schedule.ts'
import { auditMailJob } from './audit-mails.ts'
import { usageReportJob } from './usage-reports.ts'

/** Starts all scheduled jobs. Without a mail server, no mails are written. */
export async function startJobs(
  { sql, clickhouse, state, queue, limits }: WorkerResources,
  config: Config,
  { metrics, logger }: ProcessParts,
): Promise<{ stop(): Promise<void> }> {
  const { mail } = config
  const budgets = createTokenBudgetStore(sql)
  const spending = createTokenSpendingStore(state)
  const deliveries = createWebhookDeliveryStore(sql)
  const sender = createWebhookSender(createOutgoingRules(config, limits.lookups))
  const outbox = createOutboxStore(sql)
  const mailbox = mail && (await openMailbox(mail.smtpUrl))
  const jobs: ScheduledJob[] = [
    alertEvaluationJob({
      evaluations: createEvaluationStore(sql, mail !== undefined),
      measures: createAlertMeasureStore(clickhouse),
      budgets,
      spending,
      ingestWatermark: createPipelineStore(clickhouse, queue).ingestWatermark,
      metrics,
      logger,
    }),
    webhookDeliveryJob({ deliveries, sender, vault: createVault(config.masterKeys), metrics, logger }),
    { name: 'webhook-pruning', everyMs: day, run: () => deliveries.prune() },
    auditMailJob(outbox, mailbox !== undefined),
    planExpiryJob(createPlanStore(sql, createInvalidation(state, logger)), outbox, mailbox !== undefined),
    { name: 'mail-pruning', everyMs: day, run: () => outbox.prune() },
    { name: 'sign-in-pruning', everyMs: day, run: () => pruneSignIns(sql) },
  ]
  if (mailbox) {
    const send = createMailer({ mailbox, ...mail })
    const issue = (accountId: string, link: NewLink) => issueLink(sql, accountId, link)
    jobs.push(mailDeliveryJob({ outbox, issueLink: issue, send, metrics, logger }))
    jobs.push(usageReportJob(createUsageReportStore(sql, clickhouse), outbox))
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
    },
  }
}
