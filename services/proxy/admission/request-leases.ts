import { second } from '#core/units.ts'
import type { LimitWindow } from './decision.ts'
import { amountFor, type LimitRule } from './limit-rules.ts'
import { fewestLeased } from './limit-script.ts'
import { PerAccount } from './per-account.ts'

/** Leases are returned after this time, so that Redis never overcounts for longer. */
export const leaseMs = second

/** A larger lease would save few calls, and would stay counted if the process is killed. */
const most = 256

/** The total usage of one or more requests. */
export interface Share {
  requests: number
  /** 0 if no limit counts tokens. */
  tokens: number
  /** 0 without a budget. */
  nanoUsd: number
}

interface NewLease {
  /** As Redis counts them, without this lease: the unused part of the previous one counts as used. */
  windows: readonly LimitWindow[]
  leased: Share
  /** How many requests the same call granted. */
  granted: number
  giveBack: GiveBack
}

interface Lease {
  /** Usage including granted requests, without the unused part of the lease. */
  windows: readonly LimitWindow[]
  granted: number
  left: Share
  endsAtMs: number
  giveBack: GiveBack
  isRenewed: boolean
}

/** Subtracts the unused part from the counts in Redis. */
type GiveBack = (windows: readonly LimitWindow[], left: Share) => void

/** Parts of limits counted in advance in Redis, so that this proxy can grant requests without asking. */
export class RequestLeases {
  readonly #leases = new PerAccount<Lease>()
  readonly #timers = new Map<Lease, NodeJS.Timeout>()

  /** How many requests to lease: twice what the previous lease granted, or none after a pause. */
  wanted(accountId: string, key: string, now: number): number {
    const last = this.#leases.get(accountId, key)
    if (!last || now - last.endsAtMs >= leaseMs) return 0
    return Math.min(most, Math.max(fewestLeased, 2 * last.granted)) - last.left.requests
  }

  /** How many tokens to lease for further requests, beyond those that are still leased and unused. */
  missingTokens(accountId: string, key: string, requests: number, tokens: number): number {
    const { left } = this.#leases.get(accountId, key) ?? { left: noShare }
    return Math.max(0, (left.requests + requests) * tokens - left.tokens)
  }

  /** Records a call to Redis, so that a request soon after it gets a lease. */
  note(accountId: string, key: string, now: number): void {
    const last = this.#leases.get(accountId, key)
    if (last && now < last.endsAtMs) return
    this.#leases.set(accountId, key, {
      windows: [],
      granted: 1,
      left: noShare,
      endsAtMs: now + leaseMs,
      giveBack: keep,
      isRenewed: false,
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
      isRenewed: false,
    }
    this.#leases.set(accountId, key, lease)
    // A window can end before the reply that leases from it arrives.
    const timer = setTimeout(() => this.#end(lease), Math.max(0, lease.endsAtMs - now))
    this.#timers.set(lease, timer)
  }

  /** Grants one request. @returns the lease, whose windows include it; undefined when Redis has to be asked */
  take(
    accountId: string,
    key: string,
    rules: readonly LimitRule[],
    now: number,
    { tokens, nanoUsd }: Omit<Share, 'requests'> = noShare,
  ): Lease | undefined {
    const lease = this.#valid(accountId, key, rules, now)
    if (!lease) return undefined
    const { left } = lease
    if (left.requests === 0 || left.tokens < tokens || left.nanoUsd < nanoUsd) return undefined
    left.requests -= 1
    left.tokens -= tokens
    left.nanoUsd -= nanoUsd
    lease.granted += 1
    for (const window of lease.windows) window.used += amountFor(window.rule, tokens)
    return lease
  }

  /** Refunds a request that used no tokens. @returns whether a lease took it back */
  refund(accountId: string, key: string, rules: readonly LimitRule[], now: number): boolean {
    const lease = this.#valid(accountId, key, rules, now)
    if (!lease || lease.left.requests === 0 || lease.windows.some(({ used }) => used === 0)) return false
    lease.left.requests += 1
    lease.granted -= 1
    for (const window of lease.windows) window.used -= 1
    return true
  }

  /** @param tokens counted but unused; negative: used but uncounted @returns whether a lease absorbed them */
  reconcile(accountId: string, key: string, rules: readonly LimitRule[], tokens: number, now: number): boolean {
    const lease = this.#valid(accountId, key, rules, now)
    if (!lease || lease.left.requests === 0 || lease.left.tokens + tokens < 0) return false
    lease.left.tokens += tokens
    for (const window of lease.windows) if (window.rule.unit === 'tokens') window.used -= tokens
    return true
  }

  /** The unused parts of the leases are still returned when they end. */
  forget(accountId: string | undefined): void {
    this.#leases.forget(accountId)
  }

  /** Returns the unused part of all leases. */
  close(): void {
    for (const lease of this.#timers.keys()) this.#end(lease)
  }

  #end(lease: Lease): void {
    this.#stopTimer(lease)
    const { requests, tokens, nanoUsd } = lease.left
    // Tokens and money may be left even without requests, because granted requests may use less than expected.
    if (requests > 0 || tokens > 0 || nanoUsd > 0) lease.giveBack(lease.windows, lease.left)
    lease.left = noShare
  }

  #stopTimer(lease: Lease): void {
    clearTimeout(this.#timers.get(lease))
    this.#timers.delete(lease)
  }

  /** A lease that ends too far in the future was created before the clock was set back. */
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

/** Whether it is time for the next lease, so that no request has to wait for it. */
export const isNearlyUsed = ({ left, granted }: Pick<Lease, 'left' | 'granted'>): boolean =>
  left.requests * 4 <= granted

/** @returns true once for each lease: when it is nearly used */
export function claimRenewal(lease: Lease): boolean {
  if (lease.isRenewed || !isNearlyUsed(lease)) return false
  lease.isRenewed = true
  return true
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
