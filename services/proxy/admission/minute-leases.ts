import { LRUCache } from 'lru-cache'
import { minute as windowMs } from '#core/units.ts'
import type { LimitUsage } from './decision.ts'

type Window = NonNullable<LimitUsage['minute']>

interface Lease extends Window {
  /** Not given out yet; not among the used ones. */
  left: number
}

/** Requests of accounts' windows that Redis has counted in advance, for this proxy to give out without asking again. */
export class MinuteLeases {
  readonly #leases = new LRUCache<string, Lease>({ max: 20_000 })

  /** @param window as Redis has it, with what this proxy has left of it among the used ones */
  add(accountId: string, window: Window, ahead: number, now: number): void {
    const left = this.#usable(accountId, window.limit, now)?.left ?? 0
    this.#leases.set(accountId, { ...window, used: window.used - left, left: left + ahead })
  }

  /** Gives out one request. @returns the window with it; undefined when Redis has to be asked */
  take(accountId: string, limit: number, now: number): Window | undefined {
    const lease = this.#usable(accountId, limit, now)
    if (!lease || lease.left === 0) return undefined
    lease.left -= 1
    lease.used += 1
    return lease
  }

  /** Takes a request back that was given out. */
  giveBack(accountId: string, limit: number, now: number): void {
    const lease = this.#usable(accountId, limit, now)
    if (!lease || lease.used === 0) return
    lease.left += 1
    lease.used -= 1
  }

  forget(accountId: string | undefined): void {
    if (accountId === undefined) this.#leases.clear()
    else this.#leases.delete(accountId)
  }

  /** A window that seems to be longer than one is of a time before the clock was set back. */
  #usable(accountId: string, limit: number, now: number): Lease | undefined {
    const lease = this.#leases.get(accountId)
    const leftMs = lease ? lease.endsAtMs - now : 0
    return lease?.limit === limit && leftMs > 0 && leftMs <= windowMs ? lease : undefined
  }
}
