import { NodeCircuitBreakers } from '#core/redis/circuit-breaker.ts'
import { statePatienceMs } from '#core/redis/connections.ts'
import type { Redis } from '#core/redis/redis.ts'
import type { LimitsOf } from '#shared/plan-limits.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import type { Account } from '../auth/account.ts'
import type { RequestObserver } from '../telemetry/metrics.ts'
import { accept, type LimitDecision, type LimitWindow, rejectAtLimit, uncount, unlimited } from './decision.ts'
import type { Estimate } from './estimate.ts'
import { Expectations, type SentRequest } from './expectations.ts'
import { patienceMs, pauseForOthers } from './reservation.ts'
import { LimitCalls } from './limit-calls.ts'
import { type AccountLimits, amountFor, createAccountLimits, keyOf, type LimitRule } from './limit-rules.ts'
import { LocalLimits } from './local-limits.ts'
import { claimRenewal, RequestLeases } from './request-leases.ts'
import { TokenLimiter } from './token-limiter.ts'

/**
 * Enforces the limits of account, plan and token, exactly across all proxies. It asks Redis only if it can't decide
 * locally. While Redis is unavailable, this proxy counts on its own.
 */
export class Limiter {
  readonly expectations = new Expectations()
  readonly #limitsOf: (account: Account, now: number) => AccountLimits
  readonly #observer: RequestObserver
  readonly #calls: LimitCalls
  readonly #breakers: NodeCircuitBreakers
  readonly #local = new LocalLimits()
  readonly #leases = new RequestLeases()
  readonly #tokens: TokenLimiter

  /** @param redis its timeout must exceed `waitMs`, the time that a request waits for it */
  constructor(redis: Redis, limitsOf: LimitsOf, observer: RequestObserver, waitMs = statePatienceMs.request) {
    this.#calls = new LimitCalls(redis, waitMs)
    this.#breakers = new NodeCircuitBreakers(redis)
    this.#tokens = new TokenLimiter(this.#calls, this.#local, this.#breakers)
    this.#limitsOf = createAccountLimits(limitsOf)
    this.#observer = observer
  }

  /**
   * For tokens whose limits don't depend on request size, so that requests can be counted in advance. Synchronous unless
   * it has to ask Redis.
   */
  count(account: Account): LimitDecision | Promise<LimitDecision> {
    const now = Date.now()
    const limits = this.#limitsOf(account, now)
    const { rules } = limits
    if (rules.length === 0) return this.#observed('none', unlimited)
    const lease = this.#leases.take(account.accountId, keyOf(rules), rules, now)
    if (lease) {
      if (claimRenewal(lease)) void this.#lease(account, limits, now)
      return this.#observed('local', accept(lease.windows, limits, now, 'lease'))
    }
    if (this.#breakers.of(account.accountId).isOpen) return this.#decideAlone(account, limits, now)
    if (!this.#local.isExhausted(account.accountId, rules, now)) return this.#ask(account, limits, now)
    return this.#observed('local', rejectAtLimit(this.#local.current(account.accountId, rules, now), limits, now))
  }

  /** A rejection that is certain before the body is read. @returns undefined when `reserve` has to decide */
  knownRejection(account: Account, isFree: boolean): LimitDecision | undefined {
    const now = Date.now()
    const limits = this.#limitsOf(account, now)
    const budget = isFree ? undefined : this.#tokens.knownRejection(account, now)
    if (budget) return this.#observed('local', budget)
    const rules = isFree ? limits.rules.filter(({ unit }) => unit === 'requests') : limits.rules
    if (!this.#local.isExhausted(account.accountId, rules, now)) return undefined
    return this.#observed('local', rejectAtLimit(this.#local.current(account.accountId, rules, now), limits, now))
  }

  /**
   * Counts a request and reserves its estimate, for a token that limits money, tokens per minute or concurrency.
   * Synchronous unless it has to ask Redis.
   */
  reserve(account: Account, estimate: Estimate): LimitDecision | Promise<LimitDecision> {
    const limits = this.#limitsOf(account, Date.now())
    const decision = this.#tokens.reserve(account, limits, estimate, false)
    return decision instanceof Promise
      ? this.#awaitMoney(account, estimate, decision)
      : this.#observed('local', decision)
  }

  /** Tries again while others have reserved the rest of the budget. */
  async #awaitMoney(account: Account, estimate: Estimate, first: Promise<LimitDecision>): Promise<LimitDecision> {
    const endsAt = performance.now() + patienceMs
    let decision = await first
    for (let isLast = false; decision.rejection === 'budget_reserved' && !isLast;) {
      await pauseForOthers()
      isLast = performance.now() >= endsAt
      decision = await this.#tokens.reserve(account, this.#limitsOf(account, Date.now()), estimate, isLast)
    }
    const by = decision.counted?.by
    const now = Date.now()
    if (by === 'redis') this.#reportOwed(account, this.#limitsOf(account, now), now)
    if (by === 'lease') return this.#observed('local', decision)
    const isAlone = by === 'local' || this.#breakers.of(account.accountId).isOpen
    return this.#observed(isAlone ? 'degraded' : 'redis', decision)
  }

  /**
   * Counts tokens of a WebSocket session in the minute in which its responses end.
   * @param taken by all of its responses so far
   * @returns whether the limit leaves any
   */
  async countTokens({ accountId }: Account, { counted }: LimitDecision, taken: number): Promise<boolean> {
    const first = counted?.windows.find(({ rule }) => rule.unit === 'tokens')
    if (!counted || !first) return true
    const now = Date.now()
    const { rule } = first
    const session = (counted.session ??= { counted: amountFor(rule, counted.tokens), taken: 0 })
    // The rest of the estimate was of an earlier minute.
    if (first.endsAtMs <= now) session.counted = Math.min(session.counted, session.taken)
    const due = taken - session.counted
    session.taken = taken
    if (due <= 0) return true
    session.counted = taken
    const breaker = this.#breakers.of(accountId)
    const added = breaker.isOpen ? undefined : await this.#calls.add(rule, due, now).catch(() => breaker.open())
    if (added) this.#local.remember(accountId, [added])
    const { used } = added ?? this.#countAlone(accountId, rule, due, now)
    return used < rule.limit
  }

  /** @param part `quota` for a cache hit, which still counts against the limit per minute */
  refund(account: Account, decision: LimitDecision, part: 'all' | 'quota'): void {
    const { counted, reservation } = decision
    reservation?.complete(0)
    if (!counted) return
    const now = Date.now()
    const rules = counted.windows.map(({ rule }) => rule)
    const { accountId } = account
    const taken = counted.windows.filter(
      ({ rule, endsAtMs }) =>
        endsAtMs > now && (part === 'all' || rule.endsAtMs !== undefined || rule.unit === 'tokens'),
    )
    // First, because a lease and the local counts change these windows themselves.
    uncount(decision, taken, this.#limitsOf(account, now).policy, now)
    const isWhole = taken.length === rules.length
    if (counted.by === 'lease' && isWhole && this.#leases.refund(accountId, keyOf(rules), rules, now)) return
    this.#takeBack(account, counted, taken, counted.tokens)
  }

  /** @param event the log of a request with at least one attempt */
  complete(account: Account, { counted, reservation }: LimitDecision, event: RequestEvent, sent: SentRequest): void {
    reservation?.complete(event.costNanoUsd ?? (sent.mayHaveCost ? null : 0))
    // Other requests are never estimated.
    if (reservation || event.streamed) this.expectations.learn(event, sent)
    if (!counted?.tokens || (event.promptTokens === null && sent.mayHaveCost)) return
    const now = Date.now()
    const window = counted.windows.find(({ rule, endsAtMs }) => rule.unit === 'tokens' && endsAtMs > now)
    if (!window) return
    const taken = (event.promptTokens ?? 0) + (event.completionTokens ?? 0)
    const unused = (counted.session?.counted ?? amountFor(window.rule, counted.tokens)) - taken
    const { rules } = this.#limitsOf(account, now)
    if (counted.by === 'lease' && this.#tokens.reconcile(account, rules, unused, now)) return
    this.#takeBack(account, counted, [window], unused, true)
  }

  async close(): Promise<void> {
    this.#leases.close()
    this.#calls.close()
    await this.#tokens.close()
  }

  /** Keeps the local counts, some of which Redis may not have yet. */
  forget(accountId: string | undefined): void {
    this.#leases.forget(accountId)
    this.#tokens.forget(accountId)
  }

  #takeBack(
    account: Account,
    { by }: NonNullable<LimitDecision['counted']>,
    windows: readonly LimitWindow[],
    tokens: number,
    isSoon = false,
  ): void {
    const rules = windows.map(({ rule }) => rule)
    const amounts = rules.map((rule) => (rule.unit === 'tokens' && tokens < 0 ? tokens : amountFor(rule, tokens)))
    rules.forEach((rule, at) => this.#local.add(account.accountId, rule, -amounts[at]!))
    if (by === 'local') windows.forEach((window, at) => this.#local.owe(account.accountId, window, -amounts[at]!))
    else if (isSoon) windows.forEach((window, at) => this.#calls.refundSoon(window, amounts[at]!))
    else this.#calls.refund(rules, amounts)
  }

  #countAlone(accountId: string, rule: LimitRule, amount: number, now: number): LimitWindow {
    const [window] = this.#local.current(accountId, [rule], now)
    const counted = { ...window!, used: window!.used + amount }
    this.#local.remember(accountId, [counted])
    this.#local.owe(accountId, counted, amount)
    return counted
  }

  async #ask(account: Account, limits: AccountLimits, now: number): Promise<LimitDecision> {
    const [{ accountId }, key] = [account, keyOf(limits.rules)]
    let counted: Awaited<ReturnType<LimitCalls['count']>>
    try {
      const wanted = this.#leases.wanted(accountId, key, now)
      counted = await this.#calls.count(account, limits, 1, wanted, now)
    } catch {
      this.#breakers.of(accountId).open()
      return this.#decideAlone(account, limits, now)
    }
    this.#reportOwed(account, limits, now)
    const { isGranted, windows, lease } = counted
    if (lease) this.#leases.add(accountId, key, lease, now)
    else this.#leases.note(accountId, key, now)
    this.#local.remember(
      accountId,
      windows.map((window) => ({ ...window, used: window.used + (lease?.leased.requests ?? 0) })),
    )
    const decision = isGranted ? accept(windows, limits, now, 'redis') : rejectAtLimit(windows, limits, now)
    return this.#observed('redis', decision)
  }

  /** Leases more before the lease is used up, so that no request waits for Redis. */
  async #lease(account: Account, limits: AccountLimits, now: number): Promise<void> {
    const [{ accountId }, key] = [account, keyOf(limits.rules)]
    try {
      const { lease } = await this.#calls.count(account, limits, 0, this.#leases.wanted(accountId, key, now), now)
      if (lease) this.#leases.add(accountId, key, lease, now)
    } catch {
      // The next request asks on its own and handles the failure.
    }
  }

  /** Reports counts that were made without Redis, once it responds again. */
  #reportOwed({ accountId }: Account, { rules }: AccountLimits, now: number): void {
    for (const { amount, ...window } of this.#local.takeOwed(accountId, rules, now)) {
      this.#calls.refundSoon(window, -amount)
    }
  }

  /** Checks the local counts again: they may have changed while the request waited for Redis. */
  #decideAlone(account: Account, limits: AccountLimits, now: number): LimitDecision {
    const windows = this.#local.current(account.accountId, limits.rules, now)
    const isExhausted = windows.some(({ rule, used }) => used >= rule.limit)
    const decision = isExhausted
      ? rejectAtLimit(windows, limits, now)
      : accept(this.#local.count(account.accountId, windows, 1), limits, now, 'local')
    decision.headers.push('x-sallyport-degraded', 'limits')
    return this.#observed('degraded', decision)
  }

  #observed(by: 'redis' | 'local' | 'degraded' | 'none', decision: LimitDecision): LimitDecision {
    this.#observer.limited(by, decision.rejection)
    return decision
  }
}
