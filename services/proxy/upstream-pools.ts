import { LRUCache } from 'lru-cache'
import { Pool } from 'undici'
import { kib, second } from '#core/units.ts'
import { type AddressGuard, createGuardedConnector } from '#core/address-guard.ts'

/**
 * One connection pool an account and origin: no account ever waits for, or is answered on, another one's connection.
 * The least recently used pool closes, once its requests are done, when there are too many.
 */
export class UpstreamPools {
  readonly #pools: LRUCache<string, Pool>
  readonly #connect: ReturnType<typeof createGuardedConnector>

  constructor(isAllowed: AddressGuard, maxPools = 2_000) {
    this.#connect = createGuardedConnector(isAllowed, 10 * second)
    this.#pools = new LRUCache({ max: maxPools, dispose: (pool) => void pool.close() })
  }

  get(accountId: string, origin: string): Pool {
    const key = `${accountId} ${origin}`
    const known = this.#pools.get(key)
    if (known) return known
    const pool = new Pool(origin, {
      connect: this.#connect,
      pipelining: 1,
      keepAliveTimeout: 30 * second,
      maxHeaderSize: 64 * kib,
    })
    this.#pools.set(key, pool)
    return pool
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }
}
