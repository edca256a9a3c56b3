import { Pool, ProxyAgent, request } from 'undici'
import type { ResolveName } from '#core/resolver.ts'
import { kib, second } from '#core/units.ts'
import {
  type AddressGuard,
  createGuardedConnector,
  ForbiddenAddressError,
  isForbiddenAddress,
} from './address-guard.ts'

export interface GuardedClientOptions {
  isAllowed: AddressGuard
  resolve: ResolveName
  /** Proxy for all requests; it then also resolves the names. */
  egressProxyUrl: string | undefined
}

type RequestOptions = Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>

const connectTimeoutMs = 10 * second
const clientOptions = { maxHeaderSize: 64 * kib }

/** Sends requests to URLs that users enter. Addresses are checked, redirects are not followed, bodies are not read. */
export function createGuardedClient({ isAllowed, resolve, egressProxyUrl }: GuardedClientOptions) {
  const egress = egressProxyUrl && new ProxyAgent({ ...clientOptions, uri: egressProxyUrl, proxyTunnel: true })

  /** Name lookups are limited per account, so each request opens its own connection. */
  function open(accountId: string, origin: string): Pool {
    const connect = createGuardedConnector(isAllowed, connectTimeoutMs, (name) => resolve(accountId, name))
    return new Pool(origin, { ...clientOptions, connect })
  }

  return {
    /** @throws ForbiddenAddressError, or errors of undici and the resolver */
    async request(accountId: string, url: string, options: RequestOptions) {
      const { origin, hostname } = new URL(url)
      if (isForbiddenAddress(hostname, isAllowed)) throw new ForbiddenAddressError()
      const dispatcher = egress || open(accountId, origin)
      try {
        const { statusCode, headers, body } = await request(url, { ...options, dispatcher })
        // A connection with an unread response can't be reused.
        body.on('error', () => undefined).destroy()
        return { status: statusCode, headers }
      } finally {
        if (!egress) void dispatcher.destroy()
      }
    },
    close: async (): Promise<void> => {
      if (egress) await egress.destroy()
    },
  }
}
