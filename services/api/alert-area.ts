import type { FastifyInstance } from 'fastify'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { createAlertMeasureStore } from '#store/clickhouse/analytics/alert-measures.ts'
import { createAlertStore } from '#store/postgres/alerts/alerts.ts'
import { createEvaluationStore } from '#store/postgres/alerts/evaluations.ts'
import { createWebhookStore } from '#store/postgres/alerts/webhooks.ts'
import type { ApiContext } from './api-context.ts'
import { alertRoutes } from './routes/alerts/alerts.ts'
import { webhookRoutes } from './routes/alerts/webhooks.ts'

/** Parallel previews of one account, and of all accounts. */
const parallelPreviews = { perAccount: 1, atOnce: 2 }

/** Alerts and the webhooks that they notify. The worker evaluates alerts and delivers messages. */
export async function addAlertRoutes(
  app: FastifyInstance,
  { sql, clickhouse, limits, config, throttle, vault, urls }: ApiContext,
): Promise<void> {
  const sendsMail = config.mail !== undefined
  await app.register(alertRoutes, {
    alerts: createAlertStore(sql),
    evaluations: createEvaluationStore(sql, sendsMail),
    measures: createAlertMeasureStore(clickhouse, config),
    previews: new FairQueue({ limit: limits.queries, ...parallelPreviews }),
    throttle,
    sendsMail,
  })
  await app.register(webhookRoutes, { webhooks: createWebhookStore(sql), vault, urls, throttle })
}
