import { type Dispatcher, Pool, ProxyAgent, request } from 'undici'
import { kib } from '#core/units.ts'
import { createGuardedConnector, ForbiddenAddressError, isForbiddenAddress } from './address-guard.ts'
import type { OutgoingRules } from './outgoing-rules.ts'

type RequestOptions = Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>

const clientOptions = { maxHeaderSize: 64 * kib, allowH2: false }

/** Sends requests to URLs that users enter. Addresses are checked, redirects are not followed, bodies are not read. */
export function createGuardedClient({ isAllowed, resolve, egressProxyOf }: OutgoingRules) {
  /** Name lookups are limited per account, so each request opens its own connection. */
  function open(accountId: string, { origin, hostname }: URL): Dispatcher {
    const uri = egressProxyOf(hostname)
    if (uri) return new ProxyAgent({ ...clientOptions, uri, proxyTunnel: true, proxyTls: { allowH2: false } })
    const connect = createGuardedConnector(isAllowed, (name) => resolve(accountId, name))
    return new Pool(origin, { ...clientOptions, connect })
  }

  return {
    /** @throws ForbiddenAddressError, or errors of undici and the resolver */
    async request(accountId: string, url: string, options: RequestOptions) {
      const target = new URL(url)
      if (isForbiddenAddress(target.hostname, isAllowed)) throw new ForbiddenAddressError()
      const dispatcher = open(accountId, target)
      try {
        const { statusCode, headers, body } = await request(url, { ...options, dispatcher })
        // A connection with an unread response can't be reused.
        body.on('error', () => undefined).destroy()
        return { status: statusCode, headers }
      } finally {
        void dispatcher.destroy()
      }
    },
  }
}
