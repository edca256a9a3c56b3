import {
  ApiError,
  CheckoutPaymentIntent,
  Client,
  Environment,
  type Order,
  OrdersController,
  OrderStatus,
} from '@paypal/paypal-server-sdk'
import { z } from 'zod'
import { Problem } from '#core/problem.ts'
import type { ProblemCode } from '#schemas/problems.ts'
import { second } from '#core/units.ts'
import { parseCents, priceOf } from './money.ts'
import type { WebhookHeaders } from './webhook-headers.ts'

const sdkAddress = 'https://api-m.paypal.com'

interface PayPalCredentials {
  clientId: string
  clientSecret: string
  /** URL of PayPal, its sandbox or a fake. */
  apiUrl: string
}

/** PayPal's own client, redirected to the configured URL, because it knows only two addresses. */
class PayPalClient extends Client {
  readonly #apiUrl: string

  constructor({ clientId, clientSecret, apiUrl }: PayPalCredentials) {
    super({
      environment: Environment.Production,
      clientCredentialsAuthCredentials: { oAuthClientId: clientId, oAuthClientSecret: clientSecret },
      // The client's own retries are off, because it would also retry error responses such as a declined card.
      httpClientOptions: { timeout: 10 * second },
    })
    this.#apiUrl = apiUrl.replace(/\/+$/, '')
  }

  override getRequestBuilderFactory(): ReturnType<Client['getRequestBuilderFactory']> {
    const create = super.getRequestBuilderFactory()
    return (...args) => {
      const builder = create(...args)
      builder.interceptRequest((request) => ({ ...request, url: request.url.replace(sdkAddress, this.#apiUrl) }))
      return builder
    }
  }
}

/** The parts of PayPal's order that we use. */
export interface PayPalOrder {
  id: string
  /** Once approved, it can only be captured: if that failed, a buyer needs a new one. */
  isAwaitingApproval: boolean
  payeeId: string | undefined
  payerEmail: string | undefined
  /** Unset before the capture. */
  capture: { id: string; status: string; amountCents: number | undefined; currency: string | undefined } | undefined
}

export type PayPal = ReturnType<typeof createPayPal>

/** All others, such as `INSTRUMENT_DECLINED` and `TRANSACTION_REFUSED`, are declined payments. */
const problemByIssue: Record<string, ProblemCode> = {
  ORDER_NOT_APPROVED: 'payment-not-approved',
  PAYER_ACTION_REQUIRED: 'payment-not-approved',
}

/** PayPal's REST API. Every method throws Problem `payment-provider-failed` if there is no valid response. */
export function createPayPal(credentials: PayPalCredentials) {
  const client = new PayPalClient(credentials)
  const orders = new OrdersController(client)

  /** @returns undefined for an order of another PayPal account, which the operator may have used before */
  async function getOrder(id: string): Promise<PayPalOrder | undefined> {
    const response = await call(() => orders.getOrder({ id }).catch(undefinedIfUnknown))
    return response && toPayPalOrder(response.result)
  }

  return {
    getOrder,

    /** A token for the script in the browser, valid for 15 minutes. */
    async clientToken(): Promise<string> {
      const manager = client.clientCredentialsAuthManager
      const { accessToken } = await call(() =>
        manager.fetchToken({ response_type: 'client_token', intent: 'sdk_init' }),
      )
      return accessToken
    },

    /** @param id idempotency key */
    async createOrder(
      id: string,
      { amountCents, currency, description }: { amountCents: number; currency: string; description: string },
    ): Promise<PayPalOrder> {
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
     * Captures the payment; idempotent, because PayPal captures an order once. A request id would repeat the error of a
     * declined payment after the buyer has chosen another one. `getOrder` returns the result.
     * @throws Problem `payment-not-approved` | `payment-declined` | `not-found`
     */
    async captureOrder(paypalOrderId: string): Promise<void> {
      try {
        await orders.captureOrder({ id: paypalOrderId })
      } catch (error) {
        const issue = issueOf(error)
        if (issue === 'ORDER_ALREADY_CAPTURED') return
        const code = isUnknown(error) ? 'not-found' : issue && (problemByIssue[issue] ?? 'payment-declined')
        // The response may have been lost after the capture.
        if (!code && (await getOrder(paypalOrderId))?.capture) return
        throw new Problem(code || 'payment-provider-failed', { cause: withoutCredentials(error) })
      }
    },

    /**
     * Asks PayPal to verify a webhook's signature.
     * @param event the unchanged body, because a re-serialized one would not match the signature
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

const Verification = z.object({ verification_status: z.literal('SUCCESS') })

const ErrorBody = z.object({ details: z.array(z.object({ issue: z.string() })).min(1) })

/** The first `issue` in PayPal's error response, if there is one. */
function issueOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.statusCode !== 422) return undefined
  return ErrorBody.safeParse(error.result).data?.details[0]?.issue
}

const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.statusCode === 404

function undefinedIfUnknown(error: unknown): undefined {
  if (!isUnknown(error)) throw error
}

async function call<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    throw new Problem('payment-provider-failed', { cause: withoutCredentials(error) })
  }
}

/** The client's errors contain the request with its credentials, which must not be logged. */
function withoutCredentials(error: unknown): Error {
  if (!(error instanceof ApiError))
    return new Error(`PayPal: ${error instanceof Error ? error.message : 'no response'}`)
  const debugId = error.headers['paypal-debug-id'] ?? 'none'
  return new Error(`PayPal responded with ${error.statusCode} ${issueOf(error) ?? ''} (debug id ${debugId})`)
}

function toPayPalOrder({ id, status, purchaseUnits, payer }: Order): PayPalOrder {
  if (!id || purchaseUnits?.length !== 1) throw new Problem('payment-provider-failed')
  const [unit] = purchaseUnits
  const capture = unit?.payments?.captures?.[0]
  return {
    id,
    isAwaitingApproval: status === OrderStatus.Created,
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
