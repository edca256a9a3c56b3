import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, type Registry } from 'prom-client'
import type { Logger } from '#core/logger.ts'
import { hour, minute, second } from '#core/units.ts'
import type { Vault } from '#shared/vault.ts'
import type { AttemptResult, DueDelivery, WebhookDeliveryStore } from '#store/postgres/alerts/webhook-deliveries.ts'
import { webhookContext } from '#store/postgres/alerts/webhooks.ts'
import type { ScheduledJob } from '../jobs/schedule.ts'
import type { WebhookSender } from './send-webhook.ts'

/** Pauses between attempts, as Standard Webhooks recommends: seven attempts in eighteen hours. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]

/** Parallel deliveries of this worker: for all accounts, and for one. Each webhook gets one at a time. */
const atOnce = 64
const perAccount = 4

/** How often further deliveries are claimed while some are in progress. */
const claimEveryMs = second

interface WebhookDeliveryOptions {
  deliveries: WebhookDeliveryStore
  sender: Pick<WebhookSender, 'send'>
  vault: Vault
  metrics: Registry
  logger: Logger
}

/** Delivers messages. A webhook that never responds delays only messages to itself. Source: product.md 13.4. */
export function webhookDeliveryJob({
  deliveries,
  sender,
  vault,
  metrics,
  logger,
}: WebhookDeliveryOptions): ScheduledJob {
  const attemptsTotal = new Counter({
    name: 'sallyport_webhook_attempts_total',
    help: 'Attempts to deliver a message to a webhook, by outcome.',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  /** Deliveries in progress, by webhook. */
  const underWay = new Map<string, { accountId: string; done: Promise<void> }>()
  /** Accounts that have had a turn in this round, so that a few with many old messages do not delay all others. */
  const served = new Set<string>()

  async function record({ id, attempts }: DueDelivery, result: AttemptResult): Promise<void> {
    const pauseMs = pausesMs[attempts - 1]
    const outcome = result.error === null ? 'delivered' : pauseMs === undefined ? 'failed' : 'deferred'
    if (result.error === null) await deliveries.markDelivered(id, result)
    else if (pauseMs === undefined) await deliveries.markFailed(id, result)
    else await deliveries.retryLater(id, result, pauseMs)
    attemptsTotal.inc({ outcome })
  }

  async function send({ id, accountId, webhookId, url, sealedSecret, body }: DueDelivery): Promise<AttemptResult> {
    let secret: string
    try {
      secret = vault.open(sealedSecret, webhookContext(accountId, webhookId))
    } catch {
      return { status: null, error: 'The signing secret can no longer be read. Create the webhook again.' }
    }
    return sender.send({ accountId, id, url, secret, body })
  }

  async function deliver(due: DueDelivery): Promise<void> {
    try {
      await record(due, await send(due))
    } catch (error) {
      logger.warn({ err: error, delivery: due.id }, 'a webhook delivery failed; it is retried once its lease ends')
    }
  }

  /** @returns false if none was due, or the worker stops */
  async function startNext(stopping?: AbortSignal): Promise<boolean> {
    if (stopping?.aborted) return false
    const byAccount = Map.groupBy(underWay.values(), ({ accountId }) => accountId)
    const busy = [...byAccount].filter(([, each]) => each.length >= perAccount)
    const except = { webhookIds: [...underWay.keys()], accountIds: busy.map(([accountId]) => accountId) }
    let due = served.size > 0 && (await deliveries.claim({ ...except, accountIds: [...except.accountIds, ...served] }))
    if (!due) {
      served.clear()
      due = await deliveries.claim(except)
    }
    if (!due) return false
    const { accountId, webhookId } = due
    served.add(accountId)
    underWay.set(webhookId, { accountId, done: deliver(due).finally(() => underWay.delete(webhookId)) })
    return true
  }

  async function deliverAll(stopping?: AbortSignal): Promise<void> {
    for (;;) {
      while (underWay.size < atOnce && (await startNext(stopping)));
      if (underWay.size === 0) return
      await Promise.race([sleep(claimEveryMs), ...[...underWay.values()].map(({ done }) => done)])
    }
  }

  return {
    name: 'webhook-delivery',
    everyMs: 5 * second,
    async run(stopping) {
      try {
        await deliverAll(stopping)
      } finally {
        await Promise.all([...underWay.values()].map(({ done }) => done))
      }
    },
  }
}
