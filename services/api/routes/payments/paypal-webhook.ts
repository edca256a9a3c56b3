import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { PayPalEvent, PayPalId } from '#schemas/billing.ts'
import { Problem } from '#core/problem.ts'
import { kib } from '#core/units.ts'
import type { Billing } from '../../payments/billing.ts'
import { toPayment } from '../../payments/payment.ts'
import { WebhookHeaders } from '../../payments/webhook-headers.ts'
import { rateLimitPrefix } from '../../sign-in/client-address.ts'
import type { Throttle } from '../../sign-in/throttle.ts'

type WebhookOptions = Pick<Billing, 'orders' | 'payments'> & { throttle: Pick<Throttle, 'count' | 'forgive'> }

const captureEvents = /^PAYMENT\.CAPTURE\.(COMPLETED|PENDING|DENIED|DECLINED|REFUNDED|REVERSED)$/

/**
 * Notifications from PayPal's servers, without a session. A message only identifies an order, whose state is then
 * fetched from PayPal, so a forged message can't change anything.
 */
export const paypalWebhookRoutes: FastifyPluginAsyncZod<WebhookOptions> = async (
  app,
  { orders, payments, throttle },
) => {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: 256 * kib }, (_request, text, done) =>
    done(null, text),
  )

  app.post(
    '/api/paypal/webhook',
    {
      schema: {
        summary: 'Receive a notification from PayPal',
        body: z.string().meta({ example: '{"event_type":"PAYMENT.CAPTURE.COMPLETED"}' }),
        response: { 204: z.null() },
      },
    },
    async ({ body, headers, ip, log }, reply) => {
      if (!payments?.webhookId) throw new Problem('payments-not-configured')
      const { paypal, webhookId } = payments
      const event = parseEvent(body)
      const order = captureEvents.test(event.event_type) && (await orders.findByPayPalId(idsIn(event)))
      if (!order) return reply.code(204).send(null)

      // By sender, because an account must not be able to use up the limit for messages about its own refunds.
      const sender = rateLimitPrefix(ip)
      await throttle.count('paymentMessage', sender)
      const signature = WebhookHeaders.safeParse(headers)
      if (!signature.success || !(await paypal.verifyWebhook(webhookId, signature.data, body))) {
        throw new Problem('webhook-not-verified')
      }
      await throttle.forgive('paymentMessage', sender)
      const payment = toPayment(await paypal.getOrder(order.paypalOrderId))
      if (!payment) return reply.code(204).send(null)
      // Only the verified message shows a chargeback, because PayPal has no capture status for it.
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

/** Ids of the event's order or capture; a refund names its capture in a link. */
function idsIn({ resource }: PayPalEvent): string[] {
  const { order_id: orderId, capture_id: captureId } = resource.supplementary_data.related_ids
  const up = resource.links
    .find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .at(-1)
  return [orderId, captureId, up, resource.id].flatMap((id) => PayPalId.safeParse(id).data ?? [])
}
