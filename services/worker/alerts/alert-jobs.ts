import type { Config } from '#core/config.ts'
import type { ProcessParts } from '#core/process/process-parts.ts'
import { day } from '#core/units.ts'
import { createOutgoingRules } from '#shared/outgoing-rules.ts'
import { createVault } from '#shared/vault.ts'
import { createAlertMeasureStore } from '#store/clickhouse/analytics/alert-measures.ts'
import { createPipelineStore } from '#store/clickhouse/pipeline.ts'
import { createEvaluationStore } from '#store/postgres/alerts/evaluations.ts'
import { createWebhookDeliveryStore } from '#store/postgres/alerts/webhook-deliveries.ts'
import { createTokenBudgetStore } from '#store/postgres/credentials/token-budgets.ts'
import { createTokenSpendingStore } from '#store/redis/token-spending.ts'
import type { ScheduledJob } from '../jobs/schedule.ts'
import { createWebhookSender } from '../webhooks/send-webhook.ts'
import { webhookDeliveryJob } from '../webhooks/webhook-delivery.ts'
import type { WorkerResources } from '../worker-resources.ts'
import { alertEvaluationJob } from './alert-evaluation.ts'

/** The jobs that evaluate alerts and deliver their messages to webhooks. */
export function createAlertJobs(
  { sql, clickhouse, state, queue, limits }: WorkerResources,
  config: Config,
  { metrics, logger }: ProcessParts,
): ScheduledJob[] {
  const { mail, masterKeys } = config
  const deliveries = createWebhookDeliveryStore(sql)
  const sender = createWebhookSender(createOutgoingRules(config, limits.lookups))
  const evaluation = alertEvaluationJob({
    evaluations: createEvaluationStore(sql, mail !== undefined),
    measures: createAlertMeasureStore(clickhouse),
    budgets: createTokenBudgetStore(sql),
    spending: createTokenSpendingStore(state),
    ingestWatermark: createPipelineStore(clickhouse, queue).ingestWatermark,
    metrics,
    logger,
  })
  const delivery = webhookDeliveryJob({ deliveries, sender, vault: createVault(masterKeys), metrics, logger })
  const pruning = { name: 'webhook-pruning', everyMs: day, run: () => deliveries.prune() }
  return [evaluation, delivery, pruning]
}
