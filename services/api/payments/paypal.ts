import { ApiError, CheckoutPaymentIntent, type Order, OrdersController } from '@paypal/paypal-server-sdk'
import { z } from 'zod'
import { Problem } from '#core/problem.ts'
import type { ProblemCode } from '#schemas/problems.ts'
import { parseCents, priceOf } from './money.ts'
import { PayPalClient, type PayPalCredentials } from './paypal-client.ts'

/** What PayPal says of an order, as far as it decides anything. */
export interface PayPalOrder {
  id: string
  payeeId: string | undefined
  payerEmail: string | undefined
  /** Missing until money was asked for. */
  capture: { id: string; status: string; amountCents: number | undefined; currency: string | undefined } | undefined
}

/** The headers that sign a webhook. */
export const WebhookHeaders = z.object({
  'paypal-auth-algo': z.string().max(100),
  'paypal-cert-url': z.url().max(500),
  'paypal-transmission-id': z.string().max(100),
  'paypal-transmission-sig': z.string().max(2_000),
  'paypal-transmission-time': z.string().max(100),
})
export type WebhookHeaders = z.infer<typeof WebhookHeaders>

export type PayPal = ReturnType<typeof createPayPal>

const problemByIssue: Record<string, ProblemCode> = {
  ORDER_NOT_APPROVED: 'payment-not-approved',
  INSTRUMENT_DECLINED: 'payment-declined',
  PAYER_ACTION_REQUIRED: 'payment-not-approved',
}

/**
 * PayPal's REST calls. Every one of them
 * @throws Problem `payment-provider-failed` when PayPal is away or its response is not valid
 */
export function createPayPal(credentials: PayPalCredentials) {
  const client = new PayPalClient(credentials)
  const orders = new OrdersController(client)

  return {
    async getOrder(id: string): Promise<PayPalOrder> {
      const { result } = await call(() => orders.getOrder({ id }))
      return toPayPalOrder(result)
    },

    /** A token that the script in the browser may have; it lives for 15 minutes. */
    async clientToken(): Promise<string> {
      const manager = client.clientCredentialsAuthManager
      const { accessToken } = await call(() =>
        manager.fetchToken({ response_type: 'client_token', intent: 'sdk_init' }),
      )
      return accessToken
    },

    /** @param id of our order: repeating the call does not make a second one */
    async createOrder(id: string, { amountCents, currency, description }: NewPayPalOrder): Promise<PayPalOrder> {
      const { result } = await call(() =>
        orders.createOrder({
          paypalRequestId: id,
          prefer: 'return=representation',
          body: {
            intent: CheckoutPaymentIntent.Capture,
            purchaseUnits: [
              { customId: id, description, amount: { currencyCode: currency, value: priceOf(amountCents) } },
            ],
          },
        }),
      )
      return toPayPalOrder(result)
    },

    /**
     * Takes the money, once even if the call is repeated. `getOrder` returns the result.
     * @throws Problem `payment-not-approved` | `payment-declined`
     */
    async captureOrder(paypalOrderId: string, requestId: string): Promise<void> {
      try {
        await orders.captureOrder({ id: paypalOrderId, paypalRequestId: requestId })
      } catch (error) {
        const issue = issueOf(error)
        if (issue === 'ORDER_ALREADY_CAPTURED') return
        const code = issue && problemByIssue[issue]
        throw new Problem(code || 'payment-provider-failed', { cause: withoutCredentials(error) })
      }
    },

    /**
     * Asks PayPal whether a webhook is its own.
     * @param event the body exactly as it came: written anew, its signature would not fit
     */
    async verifyWebhook(webhookId: string, headers: WebhookHeaders, event: string): Promise<boolean> {
      const request = client.getRequestBuilderFactory()('POST', '/v1/notifications/verify-webhook-signature')
      const fields = {
        auth_algo: headers['paypal-auth-algo'],
        cert_url: headers['paypal-cert-url'],
        transmission_id: headers['paypal-transmission-id'],
        transmission_sig: headers['paypal-transmission-sig'],
        transmission_time: headers['paypal-transmission-time'],
        webhook_id: webhookId,
      }
      request.contentType('application/json')
      request.text(`${JSON.stringify(fields).slice(0, -1)},"webhook_event":${event}}`)
      request.authenticate([{ oauth2: true }])
      const { result } = await call(() => request.callAsText())
      return Verification.safeParse(JSON.parse(result)).success
    },
  }
}

export interface NewPayPalOrder {
  amountCents: number
  currency: string
  description: string
}

const Verification = z.object({ verification_status: z.literal('SUCCESS') })

const ErrorBody = z.object({ details: z.array(z.object({ issue: z.string() })).min(1) })

/** The first `issue` of PayPal's error response, if it is one. */
function issueOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.statusCode !== 422) return undefined
  return ErrorBody.safeParse(error.result).data?.details[0]?.issue
}

async function call<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new Problem('payment-provider-failed', { cause: withoutCredentials(error) })
  }
}

/** The client's errors carry the request with its credentials; only what happened goes into the log. */
function withoutCredentials(error: unknown): Error {
  if (!(error instanceof ApiError)) return new Error(`PayPal: ${error instanceof Error ? error.message : 'no answer'}`)
  const debugId = error.headers['paypal-debug-id'] ?? 'none'
  return new Error(`PayPal answered ${error.statusCode} ${issueOf(error) ?? ''} (debug id ${debugId})`)
}

function toPayPalOrder({ id, purchaseUnits, payer }: Order): PayPalOrder {
  if (!id || purchaseUnits?.length !== 1) throw new Problem('payment-provider-failed')
  const [unit] = purchaseUnits
  const capture = unit?.payments?.captures?.[0]
  return {
    id,
    payeeId: unit?.payee?.merchantId ?? unit?.payee?.emailAddress,
    payerEmail: payer?.emailAddress,
    capture: capture?.id
      ? {
          id: capture.id,
          status: capture.status ?? 'unknown',
          amountCents: parseCents(capture.amount?.value),
          currency: capture.amount?.currencyCode,
        }
      : undefined,
  }
}
