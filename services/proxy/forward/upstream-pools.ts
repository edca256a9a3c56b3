import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type Dispatcher, interceptors, Pool, ProxyAgent } from 'undici'
import { type AddressGuard, createGuardedConnector, ForbiddenAddressError } from '#shared/address-guard.ts'
import type { ResolveName } from '#core/resolver.ts'
import { kib, mib, second } from '#core/units.ts'

interface UpstreamPoolsOptions {
  isAllowed: AddressGuard
  resolve: ResolveName
  /** Egress proxy through which all requests go; it resolves names, so it decides what may be reached. */
  egressProxyUrl: string | undefined
  maxPools?: number
}

const connectTimeoutMs = 10 * second
/** What a provider compresses, although it is asked not to, is unpacked on its way, so much of it at the most. */
const decompress = { skipErrorResponses: false, maxSize: 1_024 * mib }
const clientOptions = { pipelining: 1, keepAliveTimeout: 30 * second, maxHeaderSize: 64 * kib }

/**
 * One connection pool an account and origin: no account ever waits for, or gets responses on, another one's connection.
 * The least recently used pool closes, once its requests are done, when there are too many.
 */
export class UpstreamPools {
  readonly #pools: LRUCache<string, Dispatcher>
  readonly #isAllowed: AddressGuard
  readonly #decompress = interceptors.decompress(decompress)
  readonly #open: (accountId: string, origin: string) => Dispatcher

  constructor({ isAllowed, resolve, egressProxyUrl, maxPools = 2_000 }: UpstreamPoolsOptions) {
    this.#isAllowed = isAllowed
    this.#open = egressProxyUrl
      ? () => new ProxyAgent({ ...clientOptions, uri: egressProxyUrl, proxyTunnel: true })
      : (accountId, origin) => {
          const connect = createGuardedConnector(isAllowed, connectTimeoutMs, (name) => resolve(accountId, name))
          return new Pool(origin, { ...clientOptions, connect })
        }
    this.#pools = new LRUCache({ max: maxPools, dispose: (pool) => void pool.close() })
  }

  /** @throws ForbiddenAddressError when the origin is an address that must not be reached */
  get(accountId: string, origin: string): Dispatcher {
    const key = `${accountId} ${origin}`
    const known = this.#pools.get(key)
    if (known) return known
    const host = new URL(origin).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !this.#isAllowed(host)) throw new ForbiddenAddressError()
    const pool = this.#open(accountId, origin).compose(this.#decompress)
    this.#pools.set(key, pool)
    return pool
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }
}
