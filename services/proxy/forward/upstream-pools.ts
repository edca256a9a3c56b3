import { LRUCache } from 'lru-cache'
import { type buildConnector, type Dispatcher, interceptors, Pool, ProxyAgent } from 'undici'
import { atMost } from '#core/limits/at-most.ts'
import { createGuardedConnector, ForbiddenAddressError, isForbiddenAddress } from '#shared/address-guard.ts'
import type { OutgoingRules } from '#shared/outgoing-rules.ts'
import { failAtReset } from '../request/early-response.ts'
import { renameContinue } from './unasked-continue.ts'
import { kib, mib, second } from '#core/units.ts'

/** Not HTTP/2, over which a WebSocket opens without the handshake that clients expect, if at all. */
const clientOptions = { pipelining: 1, keepAliveTimeout: 30 * second, maxHeaderSize: 64 * kib, allowH2: false }

/** Requests ask for no compression, but some providers compress anyway. */
const decompress = interceptors.decompress({ skipErrorResponses: false, maxSize: 1_024 * mib })

/** One connection pool per account and origin: accounts never share connections or wait for each other's. */
export class UpstreamPools {
  readonly #pools = new LRUCache<string, Dispatcher>({ ...atMost(2_000), dispose: (pool) => void pool.close() })
  readonly #rules: OutgoingRules
  #connections = 0

  constructor(rules: OutgoingRules) {
    this.#rules = rules
  }

  get(accountId: string, origin: string): Dispatcher {
    const key = `${accountId} ${origin}`
    const known = this.#pools.get(key)
    if (known) return known
    const { hostname } = new URL(origin)
    if (isForbiddenAddress(hostname, this.#rules.isAllowed)) throw new ForbiddenAddressError()
    const uri = this.#rules.egressProxyOf(hostname)
    const opened = uri
      ? new ProxyAgent({
          ...clientOptions,
          uri,
          proxyTunnel: true,
          proxyTls: { allowH2: false },
          factory: this.#openTunnels,
        })
      : this.#openDirect(accountId, origin)
    const pool = opened.compose(decompress)
    this.#pools.set(key, pool)
    return pool
  }

  /** Open connections to providers, including those through an egress proxy. */
  get connections(): number {
    return this.#connections
  }

  #openDirect(accountId: string, origin: string): Pool {
    const { isAllowed, resolve } = this.#rules
    const connect = createGuardedConnector(isAllowed, (name) => resolve(accountId, name))
    return new Pool(origin, { ...clientOptions, connect: this.#counted(connect) })
  }

  #counted(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connect(options, (...result) => {
        const [, socket] = result
        if (socket) {
          this.#connections += 1
          socket.once('close', () => (this.#connections -= 1))
          failAtReset(socket)
          renameContinue(socket)
        }
        callback(...result)
      })
  }

  /** undici's options always include a connect function. */
  readonly #openTunnels: NonNullable<ProxyAgent.Options['factory']> = (origin, options) => {
    const { connect } = options as { connect: buildConnector.connector }
    return new Pool(origin, { ...options, connect: this.#counted(connect) })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }
}
