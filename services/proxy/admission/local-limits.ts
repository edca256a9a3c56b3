import { second } from '#core/units.ts'
import type { LimitWindow } from './decision.ts'
import { amountFor, type LimitRule, rulesEndAtMs } from './limit-rules.ts'
import { PerAccount } from './per-account.ts'

/** An exhausted limit is trusted only this long, because other proxies may refund. */
const trustedMs = second

/** The ends of one window differ less, by the delays of the replies from which they are known; those of two windows, more. */
const sameEndMs = second

/** The amount counted while Redis was unavailable, in the rule's unit. */
type Owed = Pick<LimitWindow, 'rule' | 'endsAtMs'> & { amount: number }

/**
 * The last known usage of each account's limits. It rejects requests at an exhausted limit without asking Redis, and
 * continues the count while Redis is unavailable.
 */
export class LocalLimits {
  readonly #known = new PerAccount<LimitWindow>()
  /** When a limit was last found exhausted, ms since 1970. */
  readonly #exhaustedAt = new PerAccount<number>()
  readonly #owed = new PerAccount<Owed>()

  remember(accountId: string, windows: readonly LimitWindow[]): void {
    for (const window of windows) {
      const { key, limit } = window.rule
      this.#known.set(accountId, key, window)
      if (window.used >= limit) this.#exhaustedAt.set(accountId, key, Date.now())
    }
  }

  /** The current usage; windows that have ended start over. */
  current(accountId: string, rules: readonly LimitRule[], now: number): LimitWindow[] {
    return rules.map((rule) => {
      const known = this.#known.get(accountId, rule.key)
      return known && known.endsAtMs > now ? { ...known, rule } : { rule, used: 0, endsAtMs: rulesEndAtMs(rule, now) }
    })
  }

  /** Whether a limit was found exhausted a moment ago. */
  isExhausted(accountId: string, rules: readonly LimitRule[], now: number): boolean {
    const exhaustedAt = this.#exhaustedAt.of(accountId)
    if (!exhaustedAt) return false
    return rules.some(({ key, limit }) => {
      const known = this.#known.get(accountId, key)
      if (!known || known.endsAtMs <= now || known.used < limit) return false
      // The clock may have been set back since.
      return Math.abs(now - (exhaustedAt.get(key) ?? 0)) < trustedMs
    })
  }

  /** @returns the usage including the request */
  count(accountId: string, windows: readonly LimitWindow[], tokens: number): LimitWindow[] {
    const counted = windows.map((window) => ({ ...window, used: window.used + amountFor(window.rule, tokens) }))
    this.remember(accountId, counted)
    for (const window of counted) this.owe(accountId, window, amountFor(window.rule, tokens))
    return counted
  }

  /** Records an amount that Redis has not counted. @param amount negative to refund */
  owe(accountId: string, { rule, endsAtMs }: Omit<Owed, 'amount'>, amount: number): void {
    const before = this.#owed.get(accountId, rule.key)
    const laterMs = before ? endsAtMs - before.endsAtMs : Number.POSITIVE_INFINITY
    if (laterMs < -sameEndMs) return
    const sum = before && laterMs <= sameEndMs ? before.amount + amount : amount
    this.#owed.set(accountId, rule.key, { rule, endsAtMs, amount: sum })
  }

  /** @returns the amounts that Redis must still count; each is returned once */
  takeOwed(accountId: string, rules: readonly LimitRule[], now: number): Owed[] {
    const owed = rules.flatMap(({ key }) => {
      const each = this.#owed.get(accountId, key)
      return each && each.amount !== 0 ? [each] : []
    })
    for (const each of owed) this.#owed.set(accountId, each.rule.key, { ...each, amount: 0 })
    return owed.filter(({ endsAtMs }) => endsAtMs > now)
  }

  /** @param amount in the rule's unit; negative to refund */
  add(accountId: string, { key }: LimitRule, amount: number): void {
    const known = this.#known.get(accountId, key)
    if (known) known.used = Math.max(0, known.used + amount)
  }
}
