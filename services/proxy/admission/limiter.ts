import { CircuitBreaker } from '#core/redis/circuit-breaker.ts'
import type { Redis } from '#core/resources.ts'
import { minute as windowMs } from '#core/units.ts'
import type { LimitsOf } from '#shared/plan-limits.ts'
import type { Account } from '../auth/account.ts'
import type { LimitErrorCode } from '../response/error-responses.ts'
import type { RequestObserver } from '../telemetry/metrics.ts'
import { type LimitUsage, decide, type LimitDecision } from './decision.ts'
import { LimitCalls, type LimitTerms } from './limit-calls.ts'
import { LocalLimits } from './local-limits.ts'
import { MinuteLeases } from './minute-leases.ts'
import { quotaOf } from './period.ts'
import { TokenSpending } from './token-spending.ts'

/** More would save calls, but a proxy that gets no more requests could waste as many of the window. */
const maxPrefetch = 256

const verdicts = [undefined, 'rate_limited', 'quota_exceeded', 'budget_exceeded'] as const

/**
 * Enforces requests a minute, the plan's quota and a token's budget, exactly over all proxies. It asks Redis only where
 * the decision is not known yet; while Redis is unavailable, this proxy counts alone.
 */
export class Limiter {
  readonly #limitsOf: LimitsOf
  readonly #observer: RequestObserver
  readonly #calls: LimitCalls
  readonly #breaker = new CircuitBreaker()
  readonly #local = new LocalLimits()
  readonly #leases = new MinuteLeases()
  readonly #spending: TokenSpending

  constructor(redis: Redis, limitsOf: LimitsOf, observer: RequestObserver) {
    this.#calls = new LimitCalls(redis, (account) => this.#termsOf(account))
    this.#spending = new TokenSpending(redis)
    this.#limitsOf = limitsOf
    this.#observer = observer
  }

  /** Not a promise where Redis is not asked. */
  check(account: Account): LimitDecision | Promise<LimitDecision> {
    const now = Date.now()
    const applies = this.#applying(account, now)
    if (!applies.minute && !applies.quota && account.monthlyBudgetNanoUsd === null) {
      this.#observer.limited('none', undefined)
      return { rejection: undefined, headers: [], counted: undefined }
    }
    if (applies.minute && canPrefetch(account, applies.quota)) {
      const minute = this.#leases.take(account.accountId, applies.minute.limit, now)
      if (minute) {
        this.#observer.limited('local', undefined)
        return decide(undefined, { minute }, now, 'lease')
      }
    }
    if (this.#breaker.isOpen) return this.#decideAlone(account, applies, now)
    const rejection = this.#knownRejection(account, applies, now)
    if (!rejection) return this.#ask(account, applies, now)
    this.#observer.limited('local', rejection)
    return decide(rejection, this.#local.current(account.accountId, applies, now), now, 'local')
  }

  /** @param part `quota` for a request that was served from the cache: it still counts for the minute */
  refund(account: Account, { counted }: LimitDecision, part: 'all' | 'quota'): void {
    if (!counted) return
    const now = Date.now()
    const { minute, quota } = counted.usage
    const parts = {
      minute: part === 'all' && minute !== undefined && minute.endsAtMs > now,
      quota: quota !== undefined && quota.endsAtMs > now,
    }
    if (counted.by === 'lease') {
      if (minute && parts.minute) this.#leases.giveBack(account.accountId, minute.limit, now)
      return
    }
    this.#local.refund(account.accountId, parts)
    if (counted.by === 'redis' && (parts.minute || parts.quota)) this.#calls.refund(account, parts)
  }

  spend(account: Account, costNanoUsd: number): void {
    if (account.monthlyBudgetNanoUsd !== null && costNanoUsd > 0) this.#spending.add(account, costNanoUsd)
  }

  async close(): Promise<void> {
    await this.#spending.close()
  }

  forget(accountId: string | undefined): void {
    this.#local.forget(accountId)
    this.#leases.forget(accountId)
  }

  #applying(account: Account, now: number): LimitUsage {
    const quota = quotaOf(this.#limitsOf(account.plan), now)
    return {
      minute: account.rateLimitEnabled
        ? { used: 0, limit: account.maxRequestsPerMinute, endsAtMs: now + windowMs }
        : undefined,
      quota: quota && { used: 0, limit: quota.limit, endsAtMs: quota.endsAtMs },
    }
  }

  async #ask(account: Account, applies: LimitUsage, now: number): Promise<LimitDecision> {
    let counted: Awaited<ReturnType<LimitCalls['count']>>
    try {
      counted = await this.#calls.count(account)
    } catch {
      this.#breaker.open()
      return this.#decideAlone(account, applies, now)
    }
    const { verdict, minuteUsed, minuteLeftMs, quotaUsed, spentNanoUsd, prefetched } = counted
    const minute = applies.minute && { ...applies.minute, used: minuteUsed, endsAtMs: now + minuteLeftMs }
    const quota = applies.quota && { ...applies.quota, used: quotaUsed }
    if (minute && prefetched > 0) this.#leases.add(account.accountId, minute, prefetched, now)
    this.#local.remember(account.accountId, { quota, minute: minute && { ...minute, used: minuteUsed + prefetched } })
    if (account.monthlyBudgetNanoUsd !== null) this.#spending.learn(account, spentNanoUsd)
    const rejection = verdicts[verdict]
    this.#observer.limited('redis', rejection)
    return decide(rejection, { minute, quota }, now, 'redis')
  }

  #termsOf(account: Account): LimitTerms {
    const { accountId, plan, monthlyBudgetNanoUsd } = account
    const now = Date.now()
    const quota = quotaOf(this.#limitsOf(plan), now)
    return [
      `limit:{${accountId}}:minute`,
      `limit:{${accountId}}:${quota?.period ?? 'quota'}`,
      monthlyBudgetNanoUsd === null ? `spend:{${accountId}}` : this.#spending.keyOf(account),
      account.rateLimitEnabled ? account.maxRequestsPerMinute : 0,
      windowMs,
      quota?.limit ?? 0,
      Math.max(1, (quota?.endsAtMs ?? now) - now),
      monthlyBudgetNanoUsd ?? -1,
      canPrefetch(account, quota) ? maxPrefetch : 0,
    ]
  }

  /** In the order in which Redis checks the limits. */
  #knownRejection(account: Account, applies: LimitUsage, now: number): LimitErrorCode | undefined {
    return (
      this.#local.exhausted(account.accountId, applies, now) ??
      (this.#spending.isUsedUp(account) ? 'budget_exceeded' : undefined)
    )
  }

  /** It checks local counts again: they may have changed while the request waited for Redis. */
  #decideAlone(account: Account, applies: LimitUsage, now: number): LimitDecision {
    const rejection = this.#knownRejection(account, applies, now)
    const usage = rejection
      ? this.#local.current(account.accountId, applies, now)
      : this.#local.count(account.accountId, applies, now)
    this.#observer.limited('degraded', rejection)
    const decision = decide(rejection, usage, now, 'local')
    decision.headers.push('x-sallyport-degraded', 'limits')
    return decision
  }
}

/** Prefetched requests that are not used are lost when the minute ends. A quota or a budget is too scarce for that. */
const canPrefetch = (account: Account, quota: object | undefined) =>
  quota === undefined && account.monthlyBudgetNanoUsd === null
