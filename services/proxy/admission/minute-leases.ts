import { minute as windowMs } from '#core/units.ts'
import type { LimitWindow } from './decision.ts'
import type { LimitRule } from './limit-rules.ts'
import { PerAccount } from './per-account.ts'

interface Lease {
  windows: readonly LimitWindow[]
  /** Prefetched requests that are left; they are not among the used ones. */
  left: number
}

/** Requests that Redis has counted in advance, so that this proxy can grant them without asking. */
export class MinuteLeases {
  readonly #leases = new PerAccount<Lease>()

  /** @param windows as Redis counts them: what is left of the previous lease is among the used ones */
  add(accountId: string, windows: readonly LimitWindow[], prefetched: number, now: number): void {
    const rules = windows.map(({ rule }) => rule)
    const left = this.#valid(accountId, rules, now)?.left ?? 0
    const before = windows.map((window) => ({ ...window, used: window.used - left }))
    this.#leases.set(accountId, keyOf(rules), { windows: before, left: left + prefetched })
  }

  /** Grants one request. @returns the windows that include it; undefined when Redis has to be asked */
  take(accountId: string, rules: readonly LimitRule[], now: number): readonly LimitWindow[] | undefined {
    const lease = this.#valid(accountId, rules, now)
    if (!lease || lease.left === 0) return undefined
    lease.left -= 1
    for (const window of lease.windows) window.used += 1
    return lease.windows
  }

  giveBack(accountId: string, rules: readonly LimitRule[], now: number): void {
    const lease = this.#valid(accountId, rules, now)
    if (!lease || lease.windows.some(({ used }) => used === 0)) return
    lease.left += 1
    for (const window of lease.windows) window.used -= 1
  }

  forget(accountId: string | undefined): void {
    this.#leases.forget(accountId)
  }

  /** A window that ends more than a minute from now was leased before the clock was set back. */
  #valid(accountId: string, rules: readonly LimitRule[], now: number): Lease | undefined {
    const lease = this.#leases.get(accountId, keyOf(rules))
    if (!lease || lease.windows.length !== rules.length) return undefined
    for (let at = 0; at < rules.length; at += 1) {
      const { rule, endsAtMs } = lease.windows[at]!
      const { key, limit } = rules[at]!
      const leftMs = endsAtMs - now
      if (rule.key !== key || rule.limit !== limit || leftMs <= 0 || leftMs > windowMs) return undefined
    }
    return lease
  }
}

/** The last rule is the narrowest one: of the token, if it has any. */
const keyOf = (rules: readonly LimitRule[]): string => rules.at(-1)?.key ?? ''
