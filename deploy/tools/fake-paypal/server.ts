import { readFile } from 'node:fs/promises'
import { parse } from 'node:querystring'
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Ledger, type LedgerOrder, mintId, PayPalIssue } from './ledger.ts'
import { isSigned, signatureHeaders } from './signature.ts'

/** The settings of an installation that pays here, when no others are given. */
export const fakeAccount = {
  PAYPAL_CLIENT_ID: 'fake-client',
  PAYPAL_CLIENT_SECRET: 'fake-secret',
  PAYPAL_WEBHOOK_ID: 'fake-webhook',
}

interface FakePayPalOptions {
  clientId?: string
  clientSecret?: string
  webhookId?: string
  /** Receives messages when a payment changes at PayPal; unset: none are sent. */
  webhookUrl?: string
}

/** A server with the PayPal REST endpoints that Sallyport uses. No money moves. */
export interface FakePayPal {
  app: FastifyInstance
  ledger: Ledger
  /** A webhook message as PayPal would send it. */
  message(eventType: string, order: LedgerOrder, id?: string): { body: string; headers: Record<string, string> }
}

const browserSdk = new URL('browser-sdk.js', import.meta.url)

const OrderRequest = z.object({
  intent: z.literal('CAPTURE'),
  purchase_units: z.tuple([
    z.object({
      custom_id: z.string().optional(),
      amount: z.object({ currency_code: z.literal('USD'), value: z.string().regex(/^\d+\.\d{2}$/) }),
    }),
  ]),
})

const Decision = z.object({ bank: z.enum(['pays', 'declines', 'takes its time']).default('pays') })

export function createFakePayPal({
  clientId = fakeAccount.PAYPAL_CLIENT_ID,
  clientSecret = fakeAccount.PAYPAL_CLIENT_SECRET,
  webhookId = fakeAccount.PAYPAL_WEBHOOK_ID,
  webhookUrl,
}: FakePayPalOptions = {}): FakePayPal {
  const app = fastify({ forceCloseConnections: true })
  const ledger = new Ledger()
  const accessToken = `A21AA${mintId()}`

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
  app.setErrorHandler((error, _request, reply) => {
    const { status, issue } = error instanceof PayPalIssue ? error : { status: 400, issue: 'INVALID_REQUEST' }
    const name = status === 422 ? 'UNPROCESSABLE_ENTITY' : 'ERROR'
    return reply.code(status).send({ name, message: issue, debug_id: mintId(), details: [{ issue }] })
  })

  const message: FakePayPal['message'] = (eventType, order, id = `WH-${mintId()}`) => {
    const body = JSON.stringify({ id, event_type: eventType, resource: toResource(order) })
    return { body, headers: { 'content-type': 'application/json', ...signatureHeaders(webhookId, body) } }
  }
  const notify = async (eventType: string, order: LedgerOrder) => {
    if (webhookUrl) await fetch(webhookUrl, { method: 'POST', ...message(eventType, order) }).catch(() => undefined)
  }

  app.post('/v1/oauth2/token', async (request, reply) => {
    const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    if (request.headers.authorization !== expected) return reply.code(401).send({ error: 'invalid_client' })
    const form = parse(textOf(request))
    if (form.grant_type !== 'client_credentials') return reply.code(400).send({ error: 'unsupported_grant_type' })
    const token = form.response_type === 'client_token' ? `client-token-${mintId()}` : accessToken
    return { access_token: token, token_type: 'Bearer', expires_in: 900 }
  })

  void app.register(async (api) => {
    api.addHook('onRequest', async (request) => {
      if (request.headers.authorization !== `Bearer ${accessToken}`)
        throw new PayPalIssue(401, 'AUTHENTICATION_FAILURE')
    })
    api.post('/v2/checkout/orders', async (request, reply) => {
      const [unit] = bodyOf(OrderRequest, request).purchase_units
      const order = ledger.create(requestId(request), unit.amount, unit.custom_id)
      return reply.code(201).send(toOrder(order))
    })
    api.get('/v2/checkout/orders/:id', async (request) => toOrder(ledger.get(idOf(request))))
    api.post('/v2/checkout/orders/:id/capture', async (request, reply) => {
      const order = ledger.capture(requestId(request), idOf(request))
      return reply.code(201).send(toOrder(order))
    })
    api.post('/v2/payments/captures/:id/refund', async (request, reply) => {
      const order = ledger.refund(idOf(request))
      await notify('PAYMENT.CAPTURE.REFUNDED', order)
      return reply.code(201).send({ id: mintId(), status: 'COMPLETED' })
    })
    api.post('/v1/notifications/verify-webhook-signature', async (request) => ({
      verification_status: isSigned(textOf(request)) ? 'SUCCESS' : 'FAILURE',
    }))
  })

  app.get('/web-sdk/v6/core', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(await readFile(browserSdk)),
  )
  app.post('/fake/orders/:id/approve', async (request, reply) => {
    ledger.approve(idOf(request), bodyOf(Decision, request).bank)
    return reply.header('access-control-allow-origin', '*').code(204).send()
  })
  return { app, ledger, message }
}

const textOf = ({ body }: FastifyRequest) => z.string().default('').parse(body)
const bodyOf = <T>(schema: z.ZodType<T>, request: FastifyRequest): T =>
  schema.parse(JSON.parse(textOf(request) || '{}'))
const requestId = ({ headers }: FastifyRequest) => headers['paypal-request-id']?.toString()
const idOf = ({ params }: FastifyRequest) => z.object({ id: z.string() }).parse(params).id

const toOrder = ({ id, status, amount, customId, payeeId, capture }: LedgerOrder) => ({
  id,
  intent: 'CAPTURE',
  status,
  purchase_units: [
    {
      reference_id: 'default',
      custom_id: customId,
      amount,
      payee: { merchant_id: payeeId, email_address: 'merchant@example.com' },
      payments: capture && { captures: [{ ...capture, final_capture: true }] },
    },
  ],
  payer: status === 'CREATED' ? undefined : { payer_id: 'BUYER', email_address: 'buyer@example.com' },
  links: [{ rel: 'self', href: `https://api-m.paypal.com/v2/checkout/orders/${id}`, method: 'GET' }],
})

/** The resource of a message: a refund links to its capture, everything else has the id of its order. */
const toResource = ({ id, capture }: LedgerOrder) =>
  capture?.status === 'REFUNDED'
    ? {
        id: mintId(),
        status: 'COMPLETED',
        links: [{ rel: 'up', href: `https://api-m.paypal.com/v2/payments/captures/${capture.id}`, method: 'GET' }],
      }
    : { ...capture, supplementary_data: { related_ids: { order_id: id } } }
