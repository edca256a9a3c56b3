import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import {
  Alert,
  AlertChange,
  type AlertCondition,
  AlertList,
  AlertPreview,
  type ChangeAlert,
  type SaveAlert,
} from '#schemas/alerts.ts'
import { type CreateWebhook, NewWebhook, Webhook, WebhookDelivery } from '#schemas/webhooks.ts'
import { fetchJson, send } from '#web/lib/api.ts'
import { jsonQuery } from '#web/lib/queries/json-query.ts'

const alertsPath = '/api/alerts'
const webhooksPath = '/api/webhooks'
const refreshMs = 30_000

export const alertsQuery = queryOptions({
  ...jsonQuery(AlertList, alertsPath),
  refetchInterval: refreshMs,
})

export const alertHistoryQuery = (id: string) =>
  queryOptions({
    ...jsonQuery(z.array(AlertChange), `${alertsPath}/${id}/history`, [alertsPath, id]),
    // The alert may have changed since it was opened last.
    staleTime: 0,
  })

export const alertPreviewQuery = (condition: AlertCondition) =>
  queryOptions({
    queryKey: ['alert-preview', condition],
    queryFn: ({ signal }) => fetchJson(AlertPreview, 'POST', `${alertsPath}/preview`, { body: condition, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export const addAlertMutation = mutationOptions({
  mutationFn: (alert: SaveAlert) => fetchJson(Alert, 'POST', alertsPath, { body: alert }),
  meta: { refreshes: [alertsPath], success: 'Alert added', failure: 'Failed to add alert' },
})

type AlertChanges = {
  id: string
  /** Omitted fields keep their values. */
  changes: ChangeAlert
  /** The webhooks that were on before these changes. */
  previousWebhookIds?: readonly string[]
}

export const changeAlertMutation = mutationOptions({
  mutationFn: async ({ id, changes, previousWebhookIds = [] }: AlertChanges) => {
    const { webhookIds } = changes
    const merged = webhookIds && { webhookIds: await mergeWebhookIds(id, previousWebhookIds, webhookIds) }
    await send('PATCH', `${alertsPath}/${id}`, { body: { ...changes, ...merged } })
  },
  meta: { refreshes: [alertsPath], success: 'Alert changed', failure: 'Failed to change alert' },
})

/** Each webhook has its own switch: those that were not pressed are as on the server now. */
async function mergeWebhookIds(id: string, before: readonly string[], after: readonly string[]) {
  const { alerts } = await fetchJson(AlertList, 'GET', alertsPath)
  const latest = alerts.find((alert) => alert.id === id)?.webhookIds ?? before
  const isOn = (each: string) => (before.includes(each) === after.includes(each) ? latest : after).includes(each)
  return [...new Set([...latest, ...after])].filter(isOn)
}

export const deleteAlertMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${alertsPath}/${id}`),
  meta: { refreshes: [alertsPath], success: 'Alert deleted', failure: 'Failed to delete alert' },
})

const testMeta = {
  refreshes: [webhooksPath],
  success: { title: 'Test sent', description: 'It arrives in a few seconds.' },
  failure: 'Failed to send the test',
}

export const testAlertMutation = mutationOptions({
  mutationFn: (id: string) => send('POST', `${alertsPath}/${id}/test`),
  meta: { ...testMeta, refreshes: [alertsPath, webhooksPath] },
})

/** Polled, because deliveries take a few seconds. */
export const webhooksQuery = queryOptions({
  ...jsonQuery(z.array(Webhook), webhooksPath),
  refetchInterval: 10_000,
})

export const deliveriesQuery = (id: string) =>
  queryOptions({
    ...jsonQuery(z.array(WebhookDelivery), `${webhooksPath}/${id}/deliveries`, [webhooksPath, id]),
    staleTime: 0,
    refetchInterval: 10_000,
  })

/** Only this response contains the secret. */
export const addWebhookMutation = mutationOptions({
  mutationFn: (webhook: CreateWebhook) => fetchJson(NewWebhook, 'POST', webhooksPath, { body: webhook }),
  meta: { refreshes: [webhooksPath], success: 'Webhook added', failure: 'Failed to add webhook' },
})

export const deleteWebhookMutation = mutationOptions({
  mutationFn: (id: string) => send('DELETE', `${webhooksPath}/${id}`),
  meta: { refreshes: [webhooksPath, alertsPath], success: 'Webhook deleted', failure: 'Failed to delete webhook' },
})

export const testWebhookMutation = mutationOptions({
  mutationFn: (id: string) => send('POST', `${webhooksPath}/${id}/test`),
  meta: testMeta,
})
