import type { Alert, AlertState } from '#schemas/alerts.ts'
import type { Webhook, WebhookDelivery } from '#schemas/webhooks.ts'
import type { AlertRow } from '#store/postgres/alerts/alerts.ts'
import type { DeliveryRow, WebhookRow } from '#store/postgres/alerts/webhooks.ts'

const worstFirst: AlertState[] = ['firing', 'no-data', 'ok']

export function toAlert({ condition, groups, silencedUntil, judgedUntil, lastChangeAt, ...row }: AlertRow): Alert {
  const worst = worstFirst.find((state) => groups.some((group) => group.state === state))
  return {
    ...row,
    ...condition,
    groups,
    // An alert by group is ok if it has no groups.
    state: judgedUntil && (worst ?? 'ok'),
    silencedUntil: silencedUntil && silencedUntil > new Date() ? silencedUntil.toISOString() : null,
    judgedUntil: judgedUntil && judgedUntil.toISOString(),
    lastChangeAt: lastChangeAt && lastChangeAt.toISOString(),
  }
}

export const toWebhook = ({ createdAt, ...row }: WebhookRow, last: DeliveryRow | undefined): Webhook => ({
  ...row,
  createdAt: createdAt.toISOString(),
  lastDelivery: last ? toDelivery(last) : null,
})

export const toDelivery = ({ createdAt, nextAttemptAt, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: nextAttemptAt && nextAttemptAt.toISOString(),
})
