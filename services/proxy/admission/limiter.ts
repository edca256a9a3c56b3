import type { CircuitBreaker } from '#core/redis/circuit-breaker.ts'
import type { Redis } from '#core/resources.ts'
import { minute as windowMs } from '#core/units.ts'
import type { PlanLimits, PlanName } from '#schemas/plans.ts'
import type { RequestObserver } from '../telemetry/metrics.ts'
import type { Account } from '../auth/account.ts'
import type { LimitErrorCode } from '../response/error-responses.ts'
import { type LimitUsage, decide, type LimitDecision } from './decision.ts'
import { LimitCalls, type LimitTerms } from './limit-calls.ts'
import { LocalLimits } from './local-limits.ts'
import { MinuteLeases } from './minute-leases.ts'
import { monthEndsAtMs, quotaOf } from './period.ts'
import { TokenSpending } from './token-spending.ts'

/** Of a window, in one go: the more, the fewer calls, and the more may be left to a proxy that is asked no more. */
const mostAhead = 256

interface LimiterOptions {
  redis: Redis
  breaker: CircuitBreaker
  limitsOf: (plan: PlanName) => PlanLimits
  observer: Pick<RequestObserver, 'limited'>
  now?: () => number
}

/**
 * An account's requests a minute, its plan's quota and a token's budget: exact over all proxies, in one Redis call,
 * and without one where nothing is limited, the decision is known, or Redis has counted in advance. While Redis is away
 * this proxy counts alone.
 */
export class Limiter {
  readonly #limitsOf: LimiterOptions['limitsOf']
  readonly #observer: LimiterOptions['observer']
  readonly #now: () => number
  readonly #calls: LimitCalls
  readonly #breaker: CircuitBreaker
  readonly #local = new LocalLimits()
  readonly #leases = new MinuteLeases()
  readonly #spending: TokenSpending

  constructor({ redis, breaker, limitsOf, observer, now = Date.now }: LimiterOptions) {
    this.#calls = new LimitCalls(redis, (account) => this.#termsOf(account))
    this.#spending = new TokenSpending(redis, now)
    this.#breaker = breaker
    this.#limitsOf = limitsOf
    this.#observer = observer
    this.#now = now
  }

  /** @returns at once where Redis need not be asked */
  check(account: Account): LimitDecision | Promise<LimitDecision> {
    const now = this.#now()
    const applies = this.#applying(account, now)
    if (!applies.minute && !applies.quota && account.monthlyBudgetNanoUsd === null) {
      this.#observer.limited('none', undefined)
      return { rejection: undefined, headers: [] }
    }
    if (applies.minute && mayBeAhead(account, applies.quota)) {
      const minute = this.#leases.take(account.accountId, applies.minute.limit, now)
      if (minute) {
        this.#observer.limited('local', undefined)
        return { ...decide(undefined, { minute }, now, now), counted: { by: 'lease', windows: { minute } } }
      }
    }
    if (this.#breaker.isOpen) return this.#decideAlone(account, applies, now)
    const rejection = this.#knownRejection(account, applies, now)
    if (!rejection) return this.#ask(account, applies, now)
    this.#observer.limited('local', rejection)
    return this.#rejectLocally(account, applies, rejection, now)
  }

  /**
   * Takes back what was counted for a request that never went to the provider.
   * @param part `quota`: it was served without the provider, and counts for the minute all the same
   */
  refund(account: Account, { counted }: LimitDecision, part: 'all' | 'quota' = 'all'): void {
    if (!counted) return
    const now = this.#now()
    const { minute, quota } = counted.windows
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

  /** Adds to what a token has cost this month. */
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
    let place: Awaited<ReturnType<LimitCalls['count']>>
    try {
      place = await this.#calls.count(account)
    } catch {
      this.#breaker.open()
      return this.#decideAlone(account, applies, now)
    }
    const { verdict, minuteUsed, minuteLeftMs, quotaUsed, spentNanoUsd, ahead } = place
    const counted: LimitUsage = {
      minute: applies.minute && { ...applies.minute, used: minuteUsed, endsAtMs: now + minuteLeftMs },
      quota: applies.quota && { ...applies.quota, used: quotaUsed },
    }
    const { minute } = counted
    if (minute && ahead > 0) this.#leases.add(account.accountId, minute, ahead, now)
    this.#local.remember(account.accountId, { ...counted, minute: minute && { ...minute, used: minuteUsed + ahead } })
    if (account.monthlyBudgetNanoUsd !== null) this.#spending.learn(account, spentNanoUsd)
    const rejection = ([undefined, 'rate_limited', 'quota_exceeded', 'budget_exceeded'] as const)[verdict]
    this.#observer.limited('redis', rejection)
    const decision = decide(rejection, counted, retryAtMs(rejection, counted, now), now)
    return rejection ? decision : { ...decision, counted: { by: 'redis', windows: counted } }
  }

  #termsOf(account: Account): LimitTerms {
    const { accountId, plan, monthlyBudgetNanoUsd } = account
    const now = this.#now()
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
      mayBeAhead(account, quota) ? mostAhead : 0,
    ]
  }

  /** What is known to be used up, in the order in which Redis would say so. */
  #knownRejection(account: Account, applies: LimitUsage, now: number): LimitDecision['rejection'] {
    return (
      this.#local.exhausted(account.accountId, applies, now) ??
      (this.#spending.isUsedUp(account) ? 'budget_exceeded' : undefined)
    )
  }

  #rejectLocally(account: Account, applies: LimitUsage, rejection: LimitErrorCode, now: number): LimitDecision {
    const current = this.#local.current(account.accountId, applies, now)
    return decide(rejection, current, retryAtMs(rejection, current, now), now)
  }

  /** Redis is away. Requests may have been counted while this one waited for it. */
  #decideAlone(account: Account, applies: LimitUsage, now: number): LimitDecision {
    const rejection = this.#knownRejection(account, applies, now)
    const decision = rejection
      ? this.#rejectLocally(account, applies, rejection, now)
      : this.#countLocally(account, applies, now)
    this.#observer.limited('degraded', rejection)
    decision.headers.push('x-sallyport-degraded', 'limits')
    return decision
  }

  #countLocally(account: Account, applies: LimitUsage, now: number): LimitDecision {
    const counted = this.#local.count(account.accountId, this.#local.current(account.accountId, applies, now))
    return { ...decide(undefined, counted, now, now), counted: { by: 'local', windows: counted } }
  }
}

/** What is given out in advance and not used is lost with the minute. A quota or budget is too dear for that. */
const mayBeAhead = (account: Account, quota: object | undefined) =>
  quota === undefined && account.monthlyBudgetNanoUsd === null

/** When what is used up starts anew. */
function retryAtMs(rejection: LimitDecision['rejection'], { minute, quota }: LimitUsage, now: number): number {
  if (rejection === 'budget_exceeded') return monthEndsAtMs(now)
  return (rejection === 'rate_limited' ? minute : quota)?.endsAtMs ?? now
}
