import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { PayPalEvent, PayPalId } from '#schemas/billing.ts'
import { Problem } from '#core/problem.ts'
import { kib } from '#core/units.ts'
import type { OrderStore } from '#store/postgres/orders.ts'
import type { Payments } from '../payments/billing.ts'
import { toPayment } from '../payments/payment.ts'
import { WebhookHeaders } from '../payments/paypal.ts'

export interface PayPalWebhookOptions {
  orders: OrderStore
  payments: Pick<Payments, 'paypal' | 'webhookId'> | undefined
}

const captureEvents = /^PAYMENT\.CAPTURE\.(COMPLETED|PENDING|DENIED|DECLINED|REFUNDED|REVERSED)$/

/**
 * News of a payment, from PayPal's servers: no session, no cookie. The message only says which order to look at; what
 * happened to it is asked at PayPal, so that a forged message could at most repeat the truth.
 */
export const paypalWebhookRoutes: FastifyPluginAsyncZod<PayPalWebhookOptions> = async (app, options) => {
  const { orders, payments } = options
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: 256 * kib }, (_request, text, done) =>
    done(null, text),
  )

  app.post(
    '/api/paypal/webhook',
    { schema: { summary: 'News of PayPal', body: z.string(), response: { 204: z.null() } } },
    async ({ body, headers, log }, reply) => {
      if (!payments?.webhookId) throw new Problem('payments-not-configured')
      const { paypal, webhookId } = payments
      const event = parseEvent(body)
      const order = captureEvents.test(event.event_type) && (await orders.findByPayPalId(subjectsOf(event)))
      if (!order) return reply.code(204).send(null)

      const signature = WebhookHeaders.safeParse(headers)
      if (!signature.success || !(await paypal.verifyWebhook(webhookId, signature.data, body))) {
        throw new Problem('webhook-not-verified')
      }
      const payment = toPayment(await paypal.getOrder(order.paypalOrderId))
      if (!payment) return reply.code(204).send(null)
      // PayPal has no capture status for money that a bank took back; the verified message is the only word of it.
      if (event.event_type === 'PAYMENT.CAPTURE.REVERSED') payment.outcome = 'refunded'
      const reconciled = await orders.reconcile(
        order,
        payment,
        { clientAddress: null, userAgent: 'PayPal webhook' },
        { id: event.id, type: event.event_type },
      )
      if (reconciled.state === 'refused') log.error({ order: order.id, payment }, 'a payment was not accepted')
      return reply.code(204).send(null)
    },
  )
}

function parseEvent(body: string): PayPalEvent {
  try {
    return PayPalEvent.parse(JSON.parse(body))
  } catch (error) {
    throw new Problem('invalid-request', { cause: error })
  }
}

/** Ids of the order or capture that an event is about; a refund names its capture by a link. */
function subjectsOf({ resource }: PayPalEvent): string[] {
  const { order_id: orderId, capture_id: captureId } = resource.supplementary_data.related_ids
  const up = resource.links
    .find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .at(-1)
  return [orderId, captureId, up, resource.id].flatMap((id) => PayPalId.safeParse(id).data ?? [])
}
