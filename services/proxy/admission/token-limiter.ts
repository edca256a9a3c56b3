import type { NodeCircuitBreakers } from '#core/redis/circuit-breaker.ts'
import { nanoUsdPerUsd } from '#core/units.ts'
import type { Account } from '../auth/account.ts'
import { accept, type LimitDecision, type LimitWindow, rejectAtLimit, rejectFor, secondsUntil } from './decision.ts'
import type { Estimate } from './estimate.ts'
import { firstWant, Reservation, type MoreMoney } from './reservation.ts'
import { ReservationCalls } from './reservation-calls.ts'
import type { ReservationReply, LimitCalls } from './limit-calls.ts'
import { amountFor, type AccountLimits, type LimitRule } from './limit-rules.ts'
import { fewestLeased, leaseDivisor } from './limit-script.ts'
import type { LocalLimits } from './local-limits.ts'
import { countOf, isNearlyUsed, leaseMs, RequestLeases, type Share } from './request-leases.ts'
import { Remainder, TokenReservations, type Want } from './token-reservations.ts'
import { isEarly, isSpent, leftOf, nearestBudget, type TokenState } from './token-state.ts'

/** After this time, slots and money that others have reserved may be free. */
const retrySeconds = 1
const [tooManyOpen, allReserved, allSpent] = [1, 2, 3]

/** Admits requests of tokens that limit money, tokens per minute or concurrency. */
export class TokenLimiter {
  readonly #calls: LimitCalls
  readonly #local: LocalLimits
  readonly #breakers: NodeCircuitBreakers
  readonly #reservations: TokenReservations
  readonly #asks: ReservationCalls
  readonly #leases = new RequestLeases()
  /** States with a lease request in flight. */
  readonly #leasing = new Set<TokenState>()

  constructor(calls: LimitCalls, local: LocalLimits, breakers: NodeCircuitBreakers) {
    this.#calls = calls
    this.#local = local
    this.#breakers = breakers
    this.#reservations = new TokenReservations(calls)
    this.#asks = new ReservationCalls(calls, this.#reservations)
  }

  /** Before the request is read, only a spent budget is certain. */
  knownRejection(account: Account, now: number): LimitDecision | undefined {
    const state = this.#reservations.stateOf(account)
    return isSpent(state) ? rejectForBudget(state, now) : undefined
  }

  /**
   * Synchronous unless it has to ask Redis.
   * @param isLast whether this is the last try, in which the request may get less than it wants
   */
  reserve(
    account: Account,
    limits: AccountLimits,
    estimate: Estimate,
    isLast: boolean,
  ): LimitDecision | Promise<LimitDecision> {
    const now = Date.now()
    const state = this.#reservations.stateOf(account)
    if (estimate.costNanoUsd > 0 && isSpent(state)) return rejectForBudget(state, now)
    const want = firstWant(estimate, state)
    if (isLast && want.remainder === Remainder.ifNothingIsReserved) want.remainder = Remainder.whileEarly
    const wanted = { tokens: estimate.tokens, nanoUsd: want.nanoUsd }
    const lease = this.#leases.take(account.accountId, state.reporter, limits.rules, now, wanted)
    if (!lease) return this.#ask(account, limits, estimate, want)
    if (isNearlyUsed(lease)) void this.#lease(account, limits, state, wanted, lease.windows)
    const decision = accept(lease.windows, limits, now, 'lease', estimate.tokens)
    return this.#withReservation(decision, state, estimate, want.nanoUsd)
  }

  /** Returns counted but unused tokens to the lease. @returns whether there is one */
  reconcile(account: Account, rules: readonly LimitRule[], tokens: number, now: number): boolean {
    return this.#leases.reconcile(account.accountId, this.#reservations.stateOf(account).reporter, rules, tokens, now)
  }

  forget(accountId: string | undefined): void {
    this.#leases.forget(accountId)
  }

  close(): Promise<void> {
    this.#leases.close()
    return this.#reservations.close()
  }

  async #ask(account: Account, limits: AccountLimits, estimate: Estimate, want: Want): Promise<LimitDecision> {
    const now = Date.now()
    const state = this.#reservations.stateOf(account)
    const breaker = this.#breakers.of(account.accountId)
    if (breaker.isOpen) return this.#decideAlone(account, limits, estimate, want)
    let reply: ReservationReply
    try {
      reply = await this.#asks.ask(state, limits, estimate.tokens, want)
    } catch {
      breaker.open()
      return this.#decideAlone(account, limits, estimate, want)
    }
    const { windows, reservedNanoUsd, reason } = reply
    this.#local.remember(account.accountId, windows)
    if (reply.isGranted) {
      void this.#lease(account, limits, state, { tokens: estimate.tokens, nanoUsd: want.nanoUsd }, windows)
      const decision = accept(windows, limits, now, 'redis', estimate.tokens)
      return this.#withReservation(decision, state, estimate, reservedNanoUsd)
    }
    if (reason === 0) return rejectAtLimit(windows, limits, now, estimate.tokens)
    return rejectForState(state, reason, now)
  }

  /**
   * Leases the same amount for the token's next requests, if that is a small part of the remaining limits. No request
   * waits for it.
   * @param windows including the current request
   */
  async #lease(
    { accountId }: Account,
    limits: AccountLimits,
    state: TokenState,
    { tokens, nanoUsd }: Omit<Share, 'requests'>,
    windows: readonly LimitWindow[],
  ): Promise<void> {
    if (this.#leasing.has(state)) return
    const now = Date.now()
    const { reporter } = state
    const requests = Math.min(this.#leases.wanted(accountId, reporter, now), roomFor(state, tokens, nanoUsd, windows))
    const giveBack = (counted: readonly LimitWindow[], left: Share) => {
      this.#calls.giveBack(counted, left)
      this.#reservations.remove(state, left.nanoUsd, 0, left.requests)
    }
    this.#leases.note(accountId, reporter, now)
    if (requests < fewestLeased) return
    const missing = this.#leases.missingTokens(accountId, reporter, requests, tokens)
    const leased = { requests, tokens: missing, nanoUsd: requests * nanoUsd }
    const want = { nanoUsd: leased.nanoUsd, remainder: Remainder.never }
    this.#leasing.add(state)
    try {
      const reply = await this.#asks.send(state, limits.rules, leased.tokens, want, requests)
      if (!reply.isGranted) return
      const grantedAt = Date.now()
      const counted = reply.windows.map((window) => ({ ...window, used: window.used - countOf(window.rule, leased) }))
      this.#leases.add(accountId, reporter, { windows: counted, leased, granted: 0, giveBack }, grantedAt)
      state.leaseEndsAtMs = grantedAt + leaseMs
    } catch {
      // The next request asks on its own and handles the failure.
    } finally {
      this.#leasing.delete(state)
    }
  }

  #withReservation(decision: LimitDecision, state: TokenState, estimate: Estimate, nanoUsd: number): LimitDecision {
    decision.reservation = new Reservation(this.#reservations, state, estimate, nanoUsd, (want) =>
      this.#askForMore(state, want),
    )
    return decision
  }

  /** @returns how much more a request in progress may use */
  async #askForMore(state: TokenState, want: Want): Promise<MoreMoney> {
    const breaker = this.#breakers.of(state.keys.open)
    if (breaker.isOpen) return this.#takeMoreAlone(state, want)
    try {
      const { reservedNanoUsd: nanoUsd, reason } = await this.#asks.send(state, [], 0, want, 0)
      return { nanoUsd, isReservedByOthers: reason === allReserved }
    } catch {
      breaker.open()
      return this.#takeMoreAlone(state, want)
    }
  }

  #takeMoreAlone(state: TokenState, want: Want): MoreMoney {
    const nanoUsd = this.#takeAlone(state, want)
    return { nanoUsd, isReservedByOthers: nanoUsd === 0 && isEarly(state) }
  }

  #takeAlone(state: TokenState, { nanoUsd, remainder }: Want): number {
    const left = leftOf(state)
    const takesRemainder =
      remainder === Remainder.always || (isEarly(state) && (remainder === Remainder.whileEarly || state.reserved === 0))
    const granted = nanoUsd <= left ? nanoUsd : takesRemainder ? Math.max(0, left) : 0
    state.reserved += granted
    this.#reservations.changed(state)
    return granted
  }

  #decideAlone(account: Account, limits: AccountLimits, estimate: Estimate, want: Want): LimitDecision {
    const decision = this.#admitAlone(account, limits, estimate, want)
    decision.headers.push('x-sallyport-degraded', 'limits')
    return decision
  }

  #admitAlone(account: Account, limits: AccountLimits, estimate: Estimate, want: Want): LimitDecision {
    const now = Date.now()
    const state = this.#reservations.stateOf(account)
    const windows = this.#local.current(account.accountId, limits.rules, now)
    if (windows.some(({ rule, used }) => used + amountFor(rule, estimate.tokens) > rule.limit)) {
      return rejectAtLimit(windows, limits, now, estimate.tokens)
    }
    if (state.maxOpen >= 0 && state.open >= state.maxOpen) return rejectForState(state, tooManyOpen, now)
    const granted = want.nanoUsd > 0 ? this.#takeAlone(state, want) : 0
    if (want.nanoUsd > 0 && granted === 0) return rejectForState(state, isEarly(state) ? allReserved : allSpent, now)
    this.#reservations.add(state, 0)
    const counted = this.#local.count(account.accountId, windows, estimate.tokens)
    return this.#withReservation(accept(counted, limits, now, 'local', estimate.tokens), state, estimate, granted)
  }
}

/** How many such requests fit into the leasable part of every limit. */
function roomFor(state: TokenState, tokens: number, nanoUsd: number, windows: readonly LimitWindow[]): number {
  const rooms = windows
    .filter(({ rule }) => amountFor(rule, tokens) > 0)
    .map(({ rule, used }) => (rule.limit - used) / amountFor(rule, tokens))
  if (nanoUsd > 0) rooms.push(state.sharedLeft / nanoUsd)
  if (state.maxOpen >= 0) rooms.push(state.maxOpen - state.openElsewhere - state.open)
  return Math.floor(Math.min(...rooms) / leaseDivisor)
}

function rejectForState(state: TokenState, reason: number, now: number): LimitDecision {
  if (reason === tooManyOpen) {
    const detail = `Limit token-concurrency: 0 of ${state.maxOpen} requests at once are left, until one of them ends.`
    return rejectFor('token_concurrency_limited', detail, retrySeconds, true)
  }
  if (reason === allReserved) {
    const detail = 'All that is left of it is reserved by requests that are under way.'
    return rejectFor('budget_reserved', detail, retrySeconds, true)
  }
  return rejectForBudget(state, now)
}

function rejectForBudget(state: TokenState, now: number): LimitDecision {
  const { period, limit, left, endsAtMs } = nearestBudget(state)
  const retryAfter = secondsUntil(endsAtMs, now)
  const detail = `Limit token-budget-${period}: ${usdText(left)} of ${usdText(limit)} are left, and it renews in ${retryAfter} s.`
  return rejectFor('budget_exceeded', detail, retryAfter, false)
}

const usdText = (nanoUsd: number) => `$${Number((nanoUsd / nanoUsdPerUsd).toFixed(6))}`
