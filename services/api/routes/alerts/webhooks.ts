import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { requireFound } from '#core/problem.ts'
import { CreateWebhook, NewWebhook, Webhook, WebhookDelivery } from '#schemas/webhooks.ts'
import type { Vault } from '#shared/vault.ts'
import {
  type DeliveryRow,
  webhookContext,
  type WebhookRow,
  type WebhookStore,
} from '#store/postgres/alerts/webhooks.ts'
import type { UrlCheck } from '../../credentials/url-check.ts'
import { signedInRoutes } from '../../plugins/session.ts'
import { auditSourceOf } from '../../sign-in/client-address.ts'
import type { Throttle } from '../../sign-in/throttle.ts'
import { addDeleteRoute } from '../add-delete-route.ts'
import { IdParams } from '../id-params.ts'

interface WebhookRouteOptions {
  webhooks: WebhookStore
  vault: Vault
  urls: UrlCheck
  throttle: Throttle
}

/** Source: product.md 13.6. */
export const webhookRoutes = signedInRoutes<WebhookRouteOptions>(async (app, options) => {
  const { webhooks, vault, urls, throttle } = options

  app.get(
    '/api/webhooks',
    { schema: { summary: 'List webhooks, each with its last delivery', response: { 200: z.array(Webhook) } } },
    async ({ user }) => {
      const [rows, deliveries] = await Promise.all([webhooks.list(user.id), webhooks.lastDeliveries(user.id)])
      const lastOf = new Map(deliveries.map((delivery) => [delivery.webhookId, delivery]))
      return rows.map((row) => toWebhook(row, lastOf.get(row.id)))
    },
  )

  app.post(
    '/api/webhooks',
    {
      schema: {
        summary: 'Create a webhook',
        description: 'The response contains the secret that signs its messages, which is not shown again.',
        body: CreateWebhook,
        response: { 201: NewWebhook },
      },
    },
    async (request, reply) => {
      const { user, body } = request
      await throttle.count('configSave', user.id)
      await urls.check(request, {
        url: new URL(body.url),
        field: 'url',
        label: 'URL',
        ownMessage: 'URL must not lead to this gateway itself',
      })
      const id = uuidv7()
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      const sealedSecret = vault.seal(secret, webhookContext(user.id, id))
      const row = await webhooks.create(user.id, { id, ...body, sealedSecret }, auditSourceOf(request))
      return reply.code(201).send({ ...toWebhook(row, undefined), secret })
    },
  )

  addDeleteRoute(app, '/api/webhooks/:id', 'Delete a webhook', webhooks.remove)

  app.post(
    '/api/webhooks/:id/test',
    { schema: { summary: 'Send a test message to a webhook', params: IdParams, response: { 202: z.undefined() } } },
    async ({ user, params }, reply) => {
      await throttle.count('alertTest', user.id)
      requireFound(await webhooks.exists(user.id, params.id))
      await webhooks.test(user.id, params.id)
      return reply.code(202).send()
    },
  )

  app.get(
    '/api/webhooks/:id/deliveries',
    {
      schema: {
        summary: 'List the last 50 deliveries of a webhook, newest first',
        params: IdParams,
        response: { 200: z.array(WebhookDelivery) },
      },
    },
    async ({ user, params }) => {
      requireFound(await webhooks.exists(user.id, params.id))
      return (await webhooks.deliveries(user.id, params.id)).map(toDelivery)
    },
  )
})

const toWebhook = ({ createdAt, ...row }: WebhookRow, last: DeliveryRow | undefined): Webhook => ({
  ...row,
  createdAt: createdAt.toISOString(),
  lastDelivery: last ? toDelivery(last) : null,
})

const toDelivery = ({ createdAt, nextAttemptAt, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: nextAttemptAt && nextAttemptAt.toISOString(),
})
