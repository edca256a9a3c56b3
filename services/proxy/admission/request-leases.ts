import { second } from '#core/units.ts'
import type { LimitWindow } from './decision.ts'
import { amountFor, type LimitRule } from './limit-rules.ts'
import { fewestLeased } from './limit-script.ts'
import { PerAccount } from './per-account.ts'

/** A lease is given back after this time, so that what is counted is never further from the truth. */
export const leaseMs = second

/** More would save few calls, but they stay counted if the process is killed. */
const most = 256

/** The total that some requests use of their limits. */
export interface Share {
  requests: number
  /** 0 where no limit counts them. */
  tokens: number
  /** 0 without a budget. */
  nanoUsd: number
}

interface NewLease {
  /** As Redis counts them: what is left of the previous lease is among the used ones. */
  windows: readonly LimitWindow[]
  leased: Share
  /** How many requests were counted with it. */
  granted: number
  giveBack: GiveBack
}

interface Lease {
  /** Include what was granted, but not what is left. */
  windows: readonly LimitWindow[]
  granted: number
  left: Share
  endsAtMs: number
  giveBack: GiveBack
}

/** Takes what was not used off the counts of Redis. */
type GiveBack = (windows: readonly LimitWindow[], left: Share) => void

/** Shares of limits that Redis has counted in advance, so that this proxy can grant requests without asking. */
export class RequestLeases {
  readonly #leases = new PerAccount<Lease>()
  readonly #timers = new Map<Lease, NodeJS.Timeout>()

  /** How many requests to lease: twice as many as were granted of the previous lease, or none after a pause. */
  wanted(accountId: string, key: string, now: number): number {
    const last = this.#leases.get(accountId, key)
    if (!last || now - last.endsAtMs >= leaseMs) return 0
    return Math.min(most, Math.max(fewestLeased, 2 * last.granted)) - last.left.requests
  }

  /** Notes that Redis was asked, so that a request that follows soon gets a lease. */
  note(accountId: string, key: string, now: number): void {
    const last = this.#leases.get(accountId, key)
    if (last && now < last.endsAtMs) return
    this.#leases.set(accountId, key, {
      windows: [],
      granted: 1,
      left: noShare,
      endsAtMs: now + leaseMs,
      giveBack: keep,
    })
  }

  add(accountId: string, key: string, { windows, leased, granted, giveBack }: NewLease, now: number): void {
    const rules = windows.map(({ rule }) => rule)
    const previous = this.#valid(accountId, key, rules, now)
    const before = previous?.left ?? noShare
    if (previous) this.#stopTimer(previous)
    const lease: Lease = {
      windows: windows.map((window) => ({ ...window, used: window.used - countOf(window.rule, before) })),
      granted,
      left: sum(before, leased),
      endsAtMs: Math.min(now + leaseMs, ...windows.map(({ endsAtMs }) => endsAtMs)),
      giveBack,
    }
    this.#leases.set(accountId, key, lease)
    const timer = setTimeout(() => this.#end(lease), lease.endsAtMs - now)
    this.#timers.set(lease, timer)
  }

  /** Grants one request. @returns the windows that include it; undefined when Redis has to be asked */
  take(
    accountId: string,
    key: string,
    rules: readonly LimitRule[],
    now: number,
    { tokens, nanoUsd }: Omit<Share, 'requests'> = noShare,
  ): readonly LimitWindow[] | undefined {
    const lease = this.#valid(accountId, key, rules, now)
    if (!lease) return undefined
    const { left } = lease
    if (left.requests === 0 || left.tokens < tokens || left.nanoUsd < nanoUsd) return undefined
    left.requests -= 1
    left.tokens -= tokens
    left.nanoUsd -= nanoUsd
    lease.granted += 1
    for (const window of lease.windows) window.used += amountFor(window.rule, tokens)
    return lease.windows
  }

  /** Takes back a request that took no tokens. @returns whether a lease has it now */
  refund(accountId: string, key: string, rules: readonly LimitRule[], now: number): boolean {
    const lease = this.#valid(accountId, key, rules, now)
    if (!lease || lease.left.requests === 0 || lease.windows.some(({ used }) => used === 0)) return false
    lease.left.requests += 1
    lease.granted -= 1
    for (const window of lease.windows) window.used -= 1
    return true
  }

  /** @param tokens counted but not used; less than 0: used but not counted. @returns whether a lease has them now */
  reconcile(accountId: string, key: string, rules: readonly LimitRule[], tokens: number, now: number): boolean {
    const lease = this.#valid(accountId, key, rules, now)
    if (!lease || lease.left.requests === 0 || lease.left.tokens + tokens < 0) return false
    lease.left.tokens += tokens
    for (const window of lease.windows) if (window.rule.unit === 'tokens') window.used -= tokens
    return true
  }

  /** The unused part of the leases is still given back when they end. */
  forget(accountId: string | undefined): void {
    this.#leases.forget(accountId)
  }

  /** Gives back the unused part of all leases. */
  close(): void {
    for (const lease of this.#timers.keys()) this.#end(lease)
  }

  #end(lease: Lease): void {
    this.#stopTimer(lease)
    if (lease.left.requests > 0) lease.giveBack(lease.windows, lease.left)
    lease.left = noShare
  }

  #stopTimer(lease: Lease): void {
    clearTimeout(this.#timers.get(lease))
    this.#timers.delete(lease)
  }

  /** A lease that ends later than any can was made before the clock was set back. */
  #valid(accountId: string, key: string, rules: readonly LimitRule[], now: number): Lease | undefined {
    const lease = this.#leases.get(accountId, key)
    if (!lease || lease.windows.length !== rules.length) return undefined
    const leftMs = lease.endsAtMs - now
    if (leftMs <= 0 || leftMs > leaseMs) return undefined
    for (let at = 0; at < rules.length; at += 1) {
      const { rule } = lease.windows[at]!
      const { key: ruleKey, limit } = rules[at]!
      if (rule.key !== ruleKey || rule.limit !== limit) return undefined
    }
    return lease
  }
}

const keep: GiveBack = () => undefined

export const noShare: Share = { requests: 0, tokens: 0, nanoUsd: 0 }

const sum = (one: Share, other: Share): Share => ({
  requests: one.requests + other.requests,
  tokens: one.tokens + other.tokens,
  nanoUsd: one.nanoUsd + other.nanoUsd,
})

export const countOf = ({ unit }: LimitRule, share: Share): number =>
  unit === 'requests' ? share.requests : share.tokens
