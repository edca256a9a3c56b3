import { LRUCache } from 'lru-cache'
import { minute as windowMs } from '#core/units.ts'
import type { LimitWindow } from './decision.ts'

interface Lease extends LimitWindow {
  /** Prefetched requests that are left; they are not among the used ones. */
  left: number
}

/** Requests that Redis has counted in advance, so that this proxy can grant them without asking. */
export class MinuteLeases {
  readonly #leases = new LRUCache<string, Lease>({ max: 20_000 })

  /** @param window as Redis counts it: what is left of the previous lease is among the used ones */
  add(accountId: string, window: LimitWindow, prefetched: number, now: number): void {
    const left = this.#valid(accountId, window.limit, now)?.left ?? 0
    this.#leases.set(accountId, { ...window, used: window.used - left, left: left + prefetched })
  }

  /** Grants one request. @returns the window that includes it; undefined when Redis has to be asked */
  take(accountId: string, limit: number, now: number): LimitWindow | undefined {
    const lease = this.#valid(accountId, limit, now)
    if (!lease || lease.left === 0) return undefined
    lease.left -= 1
    lease.used += 1
    return lease
  }

  giveBack(accountId: string, limit: number, now: number): void {
    const lease = this.#valid(accountId, limit, now)
    if (!lease || lease.used === 0) return
    lease.left += 1
    lease.used -= 1
  }

  forget(accountId: string | undefined): void {
    if (accountId === undefined) this.#leases.clear()
    else this.#leases.delete(accountId)
  }

  /** A window that ends more than a minute from now was leased before the clock was set back. */
  #valid(accountId: string, limit: number, now: number): Lease | undefined {
    const lease = this.#leases.get(accountId)
    const leftMs = lease ? lease.endsAtMs - now : 0
    return lease?.limit === limit && leftMs > 0 && leftMs <= windowMs ? lease : undefined
  }
}
