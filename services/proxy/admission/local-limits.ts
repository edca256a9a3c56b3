import { LRUCache } from 'lru-cache'
import type { LimitUsage, LimitWindow } from './decision.ts'

/**
 * The last known usage of each account's limits. It spares Redis the requests that must be rejected anyway, and counts
 * on from there while Redis is unavailable.
 */
export class LocalLimits {
  readonly #known = new LRUCache<string, LimitUsage>({ max: 20_000 })

  remember(accountId: string, usage: LimitUsage): void {
    this.#known.set(accountId, usage)
  }

  forget(accountId: string | undefined): void {
    if (accountId === undefined) this.#known.clear()
    else this.#known.delete(accountId)
  }

  exhausted(accountId: string, applies: LimitUsage, now: number): 'rate_limited' | 'quota_exceeded' | undefined {
    const known = this.#known.get(accountId)
    if (!known) return undefined
    if (isExhausted(known.minute, applies.minute, now)) return 'rate_limited'
    return isExhausted(known.quota, applies.quota, now) ? 'quota_exceeded' : undefined
  }

  /** The usage as of now: windows that have ended start anew. */
  current(accountId: string, applies: LimitUsage, now: number): LimitUsage {
    const known = this.#known.get(accountId)
    return {
      minute: rollForward(known?.minute, applies.minute, now),
      quota: rollForward(known?.quota, applies.quota, now),
    }
  }

  count(accountId: string, applies: LimitUsage, now: number): LimitUsage {
    const { minute, quota } = this.current(accountId, applies, now)
    const usage = { minute: addOne(minute), quota: addOne(quota) }
    this.#known.set(accountId, usage)
    return usage
  }

  refund(accountId: string, { minute, quota }: { minute: boolean; quota: boolean }): void {
    const known = this.#known.get(accountId)
    if (minute && known?.minute && known.minute.used > 0) known.minute.used -= 1
    if (quota && known?.quota && known.quota.used > 0) known.quota.used -= 1
  }
}

type Limit = LimitWindow | undefined

const isExhausted = (known: Limit, applies: Limit, now: number) =>
  known !== undefined && applies !== undefined && known.endsAtMs > now && known.used >= applies.limit

const rollForward = (known: Limit, applies: Limit, now: number): Limit =>
  applies && (known && known.endsAtMs > now ? { ...known, limit: applies.limit } : applies)

const addOne = (window: Limit): Limit => window && { ...window, used: window.used + 1 }
