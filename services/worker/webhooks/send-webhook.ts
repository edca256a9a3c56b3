import { isIP } from 'node:net'
import { type Dispatcher, Pool, ProxyAgent, request } from 'undici'
import { messageOf } from '#core/errors.ts'
import type { ResolveName } from '#core/resolver.ts'
import { kib, second } from '#core/units.ts'
import { product } from '#schemas/product.ts'
import { type AddressGuard, createGuardedConnector, ForbiddenAddressError } from '#shared/address-guard.ts'
import type { AttemptResult } from '#store/postgres/alerts/webhook-deliveries.ts'
import { signWebhook } from './sign-webhook.ts'

interface WebhookRequest {
  accountId: string
  /** Of the message: receivers recognise a repeated one by it. */
  id: string
  url: string
  secret: string
  body: string
}

interface WebhookSenderOptions {
  isAllowed: AddressGuard
  resolve: ResolveName
  /** Proxy for all requests, which then also resolves names. */
  egressProxyUrl: string | undefined
  timeoutMs?: number
  now?: () => number
}

export type WebhookSender = ReturnType<typeof createWebhookSender>

/** Sends messages under the same rules as requests to providers: checked addresses, no redirects. */
export function createWebhookSender(options: WebhookSenderOptions) {
  const { isAllowed, resolve, egressProxyUrl, timeoutMs = 10 * second, now = Date.now } = options
  const clientOptions = { maxHeaderSize: 16 * kib, pipelining: 1 }
  const egress = egressProxyUrl && new ProxyAgent({ ...clientOptions, uri: egressProxyUrl, proxyTunnel: true })

  /** Name lookups are limited per account, so each message opens its own connection. */
  function open(accountId: string, origin: string): Dispatcher {
    const connect = createGuardedConnector(isAllowed, timeoutMs, (name) => resolve(accountId, name))
    return new Pool(origin, { ...clientOptions, connect })
  }

  return {
    /** Any 2xx is a success. Never throws, and never reads the body of a response. */
    async send({ accountId, id, url, secret, body }: WebhookRequest): Promise<AttemptResult> {
      const { origin, hostname } = new URL(url)
      const signal = AbortSignal.timeout(timeoutMs)
      const dispatcher = egress || open(accountId, origin)
      const timestamp = Math.floor(now() / second)
      try {
        const host = hostname.replace(/^\[|\]$/g, '')
        if (isIP(host) && !isAllowed(host)) throw new ForbiddenAddressError()
        const response = await request(url, {
          dispatcher,
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
        response.body.on('error', () => undefined).destroy()
        const { statusCode: status } = response
        return { status, error: status >= 200 && status < 300 ? null : `The receiver responded with status ${status}.` }
      } catch (error) {
        return { status: null, error: signal.aborted ? noResponse(timeoutMs) : describe(error) }
      } finally {
        if (!egress) void dispatcher.destroy()
      }
    },
    close: async (): Promise<void> => {
      if (egress) await egress.destroy()
    },
  }
}

const noResponse = (timeoutMs: number) => `The receiver did not respond within ${timeoutMs / second} s.`

const describe = (error: unknown) =>
  error instanceof ForbiddenAddressError
    ? 'The URL leads to a private or reserved address.'
    : `The receiver could not be reached (${messageOf(error).slice(0, 200)}).`
