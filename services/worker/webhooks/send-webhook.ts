import { messageOf } from '#core/errors.ts'
import { SilenceTimer } from '#core/http/silence-timer.ts'
import { second } from '#core/units.ts'
import { product } from '#schemas/product.ts'
import { ForbiddenAddressError } from '#shared/address-guard.ts'
import { createGuardedClient } from '#shared/guarded-client.ts'
import type { OutgoingRules } from '#shared/outgoing-rules.ts'
import type { AttemptResult } from '#store/postgres/alerts/webhook-deliveries.ts'
import { signWebhook } from './sign-webhook.ts'

interface WebhookRequest {
  accountId: string
  /** Id of the message, by which receivers recognise a repeated one. */
  id: string
  url: string
  secret: string
  body: string
}

interface WebhookSenderOptions extends OutgoingRules {
  timeoutMs?: number
  now?: () => number
}

export type WebhookSender = ReturnType<typeof createWebhookSender>

/** Sends messages under the same rules as requests to providers: checked addresses, no redirects. */
export function createWebhookSender({ timeoutMs = 10 * second, now = Date.now, ...options }: WebhookSenderOptions) {
  const client = createGuardedClient(options)
  return {
    /** Any 2xx is a success. Never throws, and never reads the body of a response. */
    async send({ accountId, id, url, secret, body }: WebhookRequest): Promise<AttemptResult> {
      const giveUp = new AbortController()
      const { signal } = giveUp
      const silence = new SilenceTimer(timeoutMs, () => giveUp.abort())
      const timestamp = Math.floor(now() / second)
      try {
        const { status } = await client.request(accountId, url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': product.name,
            'webhook-id': id,
            'webhook-timestamp': String(timestamp),
            'webhook-signature': signWebhook(secret, id, timestamp, body),
          },
          body,
          signal,
        })
        return { status, error: status >= 200 && status < 300 ? null : `The receiver responded with status ${status}.` }
      } catch (error) {
        return { status: null, error: signal.aborted ? noResponse(timeoutMs) : describe(error) }
      } finally {
        silence.stop()
      }
    },
  }
}

const noResponse = (timeoutMs: number) => `The receiver did not respond within ${timeoutMs / second} s.`

const describe = (error: unknown) =>
  error instanceof ForbiddenAddressError
    ? 'The URL leads to a private or reserved address.'
    : `The receiver could not be reached (${messageOf(error).slice(0, 200)}).`
