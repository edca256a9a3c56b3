import { second } from '#core/units.ts'
import type { LimitWindow } from './decision.ts'
import type { LimitRule } from './limit-rules.ts'
import { fewestLeased } from './limit-script.ts'
import { PerAccount } from './per-account.ts'

/** A lease is given back after this time, so that what is counted is never further from the truth. */
const leaseMs = second

/** More would save few calls, but they stay counted if the process is killed. */
const most = 256

interface Lease {
  /** Include the requests that were granted, but not those that are left. */
  windows: readonly LimitWindow[]
  granted: number
  left: number
  endsAtMs: number
}

/** Requests that Redis has counted in advance, so that this proxy can grant them without asking. */
export class RequestLeases {
  readonly #leases = new PerAccount<Lease>()
  readonly #timers = new Map<Lease, NodeJS.Timeout>()
  readonly #giveBack: (windows: readonly LimitWindow[], requests: number) => void

  /** @param giveBack takes what was not used off the counts of Redis */
  constructor(giveBack: (windows: readonly LimitWindow[], requests: number) => void) {
    this.#giveBack = giveBack
  }

  /** How many requests to lease: twice as many as were granted of the previous lease, or none after a pause. */
  wanted(accountId: string, rules: readonly LimitRule[], now: number): number {
    const last = this.#leases.get(accountId, keyOf(rules))
    if (!last || now - last.endsAtMs >= leaseMs) return 0
    return Math.min(most, Math.max(fewestLeased, 2 * last.granted))
  }

  /**
   * @param windows as Redis counts them: what is left of the previous lease is among the used ones
   * @param granted how many requests were counted with it
   */
  add(accountId: string, windows: readonly LimitWindow[], leased: number, granted: number, now: number): void {
    const rules = windows.map(({ rule }) => rule)
    const previous = this.#valid(accountId, rules, now)
    const left = previous?.left ?? 0
    if (previous) this.#forgetTimer(previous)
    const lease = {
      windows: windows.map((window) => ({ ...window, used: window.used - left })),
      granted,
      left: left + leased,
      endsAtMs: Math.min(now + leaseMs, ...windows.map(({ endsAtMs }) => endsAtMs)),
    }
    this.#leases.set(accountId, keyOf(rules), lease)
    if (lease.left > 0)
      this.#timers.set(
        lease,
        setTimeout(() => this.#end(lease), lease.endsAtMs - now),
      )
  }

  /** Grants one request. @returns the windows that include it; undefined when Redis has to be asked */
  take(accountId: string, rules: readonly LimitRule[], now: number): readonly LimitWindow[] | undefined {
    const lease = this.#valid(accountId, rules, now)
    if (!lease || lease.left === 0) return undefined
    lease.left -= 1
    lease.granted += 1
    for (const window of lease.windows) window.used += 1
    return lease.windows
  }

  /** Takes a request back. @returns whether the lease that granted it, or the next one, has it now */
  refund(accountId: string, rules: readonly LimitRule[], now: number): boolean {
    const lease = this.#valid(accountId, rules, now)
    if (!lease || lease.left === 0 || lease.windows.some(({ used }) => used === 0)) return false
    lease.left += 1
    lease.granted -= 1
    for (const window of lease.windows) window.used -= 1
    return true
  }

  /** What is left of the leases is still given back when they end. */
  forget(accountId: string | undefined): void {
    this.#leases.forget(accountId)
  }

  /** Gives back what is left of all leases. */
  close(): void {
    for (const lease of this.#timers.keys()) this.#end(lease)
  }

  #end(lease: Lease): void {
    this.#forgetTimer(lease)
    if (lease.left > 0) this.#giveBack(lease.windows, lease.left)
    lease.left = 0
  }

  #forgetTimer(lease: Lease): void {
    clearTimeout(this.#timers.get(lease))
    this.#timers.delete(lease)
  }

  /** A lease that ends later than any can was made before the clock was set back. */
  #valid(accountId: string, rules: readonly LimitRule[], now: number): Lease | undefined {
    const lease = this.#leases.get(accountId, keyOf(rules))
    if (!lease || lease.windows.length !== rules.length) return undefined
    const leftMs = lease.endsAtMs - now
    if (leftMs <= 0 || leftMs > leaseMs) return undefined
    for (let at = 0; at < rules.length; at += 1) {
      const { rule } = lease.windows[at]!
      const { key, limit } = rules[at]!
      if (rule.key !== key || rule.limit !== limit) return undefined
    }
    return lease
  }
}

/** The last rule is the narrowest one: of the token, if it has any. */
const keyOf = (rules: readonly LimitRule[]): string => rules.at(-1)?.key ?? ''
