import { z } from 'zod'
import type { FairQueue } from '#core/limits/fair-queue.ts'
import { requireFound } from '#core/problem.ts'
import {
  Alert,
  AlertChange,
  AlertCondition,
  AlertList,
  AlertPreview,
  type AlertState,
  ChangeAlert,
  SaveAlert,
} from '#schemas/alerts.ts'
import type { AlertMeasureStore } from '#store/clickhouse/analytics/alert-measures.ts'
import type { AlertRow, AlertStore } from '#store/postgres/alerts/alerts.ts'
import type { EvaluationStore } from '#store/postgres/alerts/evaluations.ts'
import { previewAlert } from '../../alerts/preview-alert.ts'
import { signedInRoutes } from '../../plugins/session.ts'
import { auditSourceOf } from '../../sign-in/client-address.ts'
import type { Throttle } from '../../sign-in/throttle.ts'
import { addDeleteRoute } from '../add-delete-route.ts'
import { IdParams } from '../id-params.ts'

interface AlertRouteOptions {
  alerts: AlertStore
  evaluations: Pick<EvaluationStore, 'sendTest'>
  measures: Pick<AlertMeasureStore, 'history'>
  previews: FairQueue
  throttle: Throttle
  sendsMail: boolean
}

/** Source: product.md 13.6. */
export const alertRoutes = signedInRoutes<AlertRouteOptions>(async (app, options) => {
  const { alerts, evaluations, measures, previews, throttle, sendsMail } = options

  app.get('/api/alerts', { schema: { summary: 'List alerts', response: { 200: AlertList } } }, async ({ user }) => {
    const rows = await alerts.list(user.id)
    return { alerts: rows.map(toAlert), sendsMail }
  })

  app.post(
    '/api/alerts',
    { schema: { summary: 'Create an alert', body: SaveAlert, response: { 201: Alert } } },
    async (request, reply) => {
      const row = await alerts.create(request.user.id, request.body, auditSourceOf(request))
      return reply.code(201).send(toAlert(row))
    },
  )

  app.post(
    '/api/alerts/preview',
    {
      schema: {
        summary: 'Preview when an alert would have fired in the last 30 days',
        body: AlertCondition,
        response: { 200: AlertPreview },
      },
      config: { turns: previews },
    },
    ({ user, body }) => previewAlert(measures, user.id, body),
  )

  app.patch(
    '/api/alerts/:id',
    {
      schema: {
        summary: 'Change or silence an alert',
        description: 'Omitted fields keep their values. No messages are sent until `silencedUntil`.',
        params: IdParams,
        body: ChangeAlert,
        response: { 200: Alert },
      },
    },
    async (request) => {
      const row = requireFound(
        await alerts.change(request.user.id, request.params.id, request.body, auditSourceOf(request)),
      )
      return toAlert(row)
    },
  )

  addDeleteRoute(app, '/api/alerts/:id', 'Delete an alert', alerts.remove)

  app.get(
    '/api/alerts/:id/history',
    {
      schema: {
        summary: 'List the last 200 state changes of an alert, newest first',
        params: IdParams,
        response: { 200: z.array(AlertChange) },
      },
    },
    async ({ user, params }) => {
      requireFound(await alerts.get(user.id, params.id))
      const changes = await alerts.history(user.id, params.id)
      return changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString() }))
    },
  )

  app.post(
    '/api/alerts/:id/test',
    {
      schema: {
        summary: 'Send a test message through every channel of an alert',
        params: IdParams,
        response: { 202: z.undefined() },
      },
    },
    async ({ user, params }, reply) => {
      await throttle.count('alertTest', user.id)
      const alert = requireFound(await alerts.get(user.id, params.id))
      await evaluations.sendTest(user.id, alert)
      return reply.code(202).send()
    },
  )
})

const worstFirst: AlertState[] = ['firing', 'no-data', 'ok']

function toAlert({ condition, groups, silencedUntil, judgedUntil, lastChangeAt, ...row }: AlertRow): Alert {
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
