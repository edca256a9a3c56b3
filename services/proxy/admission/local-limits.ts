import { LRUCache } from 'lru-cache'
import type { LimitUsage } from './decision.ts'

/**
 * What this proxy last heard of an account's limits. Where that already says no, Redis is not asked; while Redis is
 * away it goes on counting here, from where Redis stopped.
 */
export class LocalLimits {
  readonly #counted = new LRUCache<string, LimitUsage>({ max: 20_000 })

  remember(accountId: string, counted: LimitUsage): void {
    this.#counted.set(accountId, counted)
  }

  forget(accountId: string | undefined): void {
    if (accountId === undefined) this.#counted.clear()
    else this.#counted.delete(accountId)
  }

  /** Which limit is known to be used up, if one is. */
  exhausted(accountId: string, applies: LimitUsage, now: number): 'rate_limited' | 'quota_exceeded' | undefined {
    const known = this.#counted.get(accountId)
    if (!known) return undefined
    if (isUsedUp(known.minute, applies.minute, now)) return 'rate_limited'
    return isUsedUp(known.quota, applies.quota, now) ? 'quota_exceeded' : undefined
  }

  /** What is known, brought up to now: windows that are over start anew. */
  current(accountId: string, applies: LimitUsage, now: number): LimitUsage {
    const known = this.#counted.get(accountId)
    return {
      minute: rollForward(known?.minute, applies.minute, now),
      quota: rollForward(known?.quota, applies.quota, now),
    }
  }

  /** Takes one request back. */
  refund(accountId: string, { minute, quota }: { minute: boolean; quota: boolean }): void {
    const known = this.#counted.get(accountId)
    if (minute && known?.minute && known.minute.used > 0) known.minute.used -= 1
    if (quota && known?.quota && known.quota.used > 0) known.quota.used -= 1
  }

  /** Counts one request. */
  count(accountId: string, current: LimitUsage): LimitUsage {
    const counted = { minute: addOne(current.minute), quota: addOne(current.quota) }
    this.#counted.set(accountId, counted)
    return counted
  }
}

type Limit = LimitUsage['minute']

const isUsedUp = (known: Limit, applies: Limit, now: number) =>
  known !== undefined && applies !== undefined && known.endsAtMs > now && known.used >= applies.limit

const rollForward = (known: Limit, applies: Limit, now: number): Limit =>
  applies && (known && known.endsAtMs > now ? { ...known, limit: applies.limit } : applies)

const addOne = (limit: Limit): Limit => limit && { ...limit, used: limit.used + 1 }
