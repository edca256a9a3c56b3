import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { createMetrics } from '#core/metrics.ts'
import { day, minute } from '#core/units.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import type { SaveAlert } from '#schemas/alerts.ts'
import { createAddressGuard } from '#shared/address-guard.ts'
import { createVault } from '#shared/vault.ts'
import { createAlertMeasureStore } from '#store/clickhouse/analytics/alert-measures.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { storeEvents } from '#store/clickhouse/logs/stored-logs.fixture.ts'
import { insertAccount } from '#store/postgres/account.fixture.ts'
import { createAlertStore } from '#store/postgres/alerts/alerts.ts'
import { createEvaluationStore } from '#store/postgres/alerts/evaluations.ts'
import { createWebhookDeliveryStore } from '#store/postgres/alerts/webhook-deliveries.ts'
import { createWebhookStore, webhookContext } from '#store/postgres/alerts/webhooks.ts'
import { createTokenBudgetStore } from '#store/postgres/credentials/token-budgets.ts'
import type { TokenSpendingStore } from '#store/redis/token-spending.ts'
import { logger, origin, useTestJobs } from '../jobs/jobs.fixture.ts'
import { createWebhookSender } from '../webhooks/send-webhook.ts'
import { webhookDeliveryJob } from '../webhooks/webhook-delivery.ts'
import { alertEvaluationJob } from './alert-evaluation.ts'

/**
 * Requests are made before this time; a round at `start + 2 min` evaluates the minutes before it. Noon of yesterday, because
 * ClickHouse keeps minutes for some days only.
 */
const start = Math.floor(Date.now() / day) * day - day / 2

const resolve = async () => [{ address: '127.0.0.1', family: 4 }]

const noSpending: TokenSpendingStore = { read: async () => new Map() }

/** The jobs of alerts on real stores, for the tests of one file. */
export async function useAlertJobs() {
  const jobs = await useTestJobs()
  const { sql, clickhouse } = jobs
  const vault = createVault(new Map([[1, randomBytes(32)]]))
  const alerts = createAlertStore(sql)
  const webhooks = createWebhookStore(sql)
  const deliveries = createWebhookDeliveryStore(sql)

  /** @param minutes after the start @param allowed address ranges that webhooks may lead to */
  const evaluation = (minutes: number, spending = noSpending) => {
    const now = start + minutes * minute
    return alertEvaluationJob({
      evaluations: createEvaluationStore(sql, true),
      measures: createAlertMeasureStore(clickhouse),
      budgets: createTokenBudgetStore(sql),
      spending,
      ingestWatermark: async () => new Date(now).toISOString(),
      metrics: createMetrics(),
      logger,
      now: () => now,
    })
  }
  const webhookDelivery = ({ allowed = ['127.0.0.0/8'], timeoutMs = 10_000 } = {}) => {
    const sender = createWebhookSender({
      isAllowed: createAddressGuard(allowed),
      resolve,
      egressProxyOf: () => undefined,
      timeoutMs,
    })
    return webhookDeliveryJob({ deliveries, sender, vault, metrics: createMetrics(), logger })
  }

  return {
    ...jobs,
    /** @param minutes after the start */
    at: (minutes: number) => new Date(start + minutes * minute),
    stores: { alerts, webhooks },
    evaluation,
    webhookDelivery,
    account: () => insertAccount(sql),
    async addWebhook(accountId: string, url: string) {
      const id = uuidv7()
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      const sealedSecret = vault.seal(secret, webhookContext(accountId, id))
      await webhooks.create(accountId, { id, name: url, url, sealedSecret }, origin)
      return { id, secret }
    },
    addAlert: (accountId: string, changes: Partial<SaveAlert> = {}) =>
      alerts.create(accountId, { ...anAlert, ...changes }, origin),
    /** @param minutes before the start */
    async addRequests(accountId: string, minutes: number, events: Partial<RequestEvent>[]) {
      const msecs = start - minutes * minute
      const stored = events.map((event) => requestEvent({ accountId, ...event, id: uuidv7({ msecs }) }))
      await storeEvents(clickhouse, stored)
    },
  }
}

const anAlert: SaveAlert = {
  name: 'Errors',
  measure: 'errorRate',
  comparison: 'over',
  threshold: 20,
  windowMinutes: 5,
  filters: { status: 'all', method: 'all' },
  group: null,
  enabled: true,
  mail: true,
  webhookIds: [],
}
