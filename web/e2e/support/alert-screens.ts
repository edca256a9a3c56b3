import type { Alert } from '#schemas/alerts.ts'
import type { Webhook } from '#schemas/webhooks.ts'
import { respond } from './intercept.ts'
import type { Screen } from './screens.ts'

const idOf = (at: number) => `0199a000-0000-7000-8000-00000000000${at}`
const at = '2026-11-20T12:00:00.000Z'

const alert: Alert = {
  id: idOf(1),
  name: 'Errors of each customer',
  measure: 'errorRate',
  comparison: 'over',
  threshold: 5,
  windowMinutes: 15,
  filters: { status: 'all', method: 'all' },
  group: 'tag:customer',
  enabled: true,
  mail: true,
  webhookIds: [],
  silencedUntil: null,
  state: 'firing',
  groups: ['acme', 'initech'].map((group) => ({ group, state: 'firing', value: 12.5, since: at })),
  judgedUntil: at,
  lastChangeAt: at,
}

export const alertsOfEveryState: Alert[] = [
  alert,
  {
    ...alert,
    id: idOf(2),
    name: 'Slow',
    measure: 'p95',
    // As a script adds it: the dialog has no such choices.
    filters: { status: '4xx', method: 'PATCH' },
    group: null,
    state: 'no-data',
    groups: [],
  },
  { ...alert, id: idOf(3), name: 'Cost', measure: 'cost', group: null, enabled: false, state: 'ok', silencedUntil: at },
  { ...alert, id: idOf(4), name: 'x'.repeat(100), measure: 'budget', group: null, state: null, judgedUntil: null },
]

const delivery = {
  id: idOf(5),
  type: 'alert.firing',
  createdAt: at,
  state: 'delivered' as const,
  attempts: 1,
  nextAttemptAt: null,
  status: 204,
  error: null,
}

export const webhooksOfEveryState: Webhook[] = [
  { id: idOf(6), name: 'Pager', url: 'https://pager.example/hook', createdAt: at, lastDelivery: delivery },
  {
    id: idOf(7),
    name: 'Chat',
    url: `https://chat.example/${'x'.repeat(200)}`,
    createdAt: at,
    lastDelivery: {
      ...delivery,
      state: 'waiting',
      nextAttemptAt: at,
      status: 500,
      error: 'The receiver responded with status 500.',
    },
  },
]

export const alertScreens: Screen[] = [
  {
    name: 'alerts',
    path: '/alerts',
    before: async (page) => {
      await respond(page, 'GET', '/api/alerts', 200, { alerts: alertsOfEveryState, sendsMail: true })
      await respond(page, 'GET', '/api/webhooks', 200, webhooksOfEveryState)
    },
    shows: [/status 4xx · method PATCH/, 'Firing (2)', 'No data', 'Off', 'Delivered (204)', 'Waiting (500)'],
  },
  {
    name: 'alert-dialog',
    path: '/alerts?draft=%7B%22filters%22%3A%7B%22cache%22%3A%5B%22hit%22%5D%7D%2C%22search%22%3A%22timeout%22%7D',
    shows: ['Add Alert', 'Also filtered by cache hit.', /“timeout” is left out/, /^It would (not )?have fired/],
  },
]
