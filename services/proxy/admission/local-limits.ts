import { second } from '#core/units.ts'
import type { LimitWindow } from './decision.ts'
import { amountFor, type LimitRule, rulesEndAtMs } from './limit-rules.ts'
import { PerAccount } from './per-account.ts'

/** Other proxies may take back what they counted. */
const trustedMs = second

/** What was counted while Redis was unavailable, in the rule's unit. */
type Owed = Pick<LimitWindow, 'rule' | 'endsAtMs'> & { amount: number }

/**
 * The last known usage of each account's limits. It spares Redis the requests that must be rejected anyway, and counts
 * on from there while Redis is unavailable.
 */
export class LocalLimits {
  readonly #known = new PerAccount<LimitWindow>()
  /** When a limit was seen to leave no room, ms since 1970. */
  readonly #exhaustedAt = new PerAccount<number>()
  readonly #owed = new PerAccount<Owed>()

  remember(accountId: string, windows: readonly LimitWindow[]): void {
    for (const window of windows) {
      const { key, limit } = window.rule
      this.#known.set(accountId, key, window)
      if (window.used >= limit) this.#exhaustedAt.set(accountId, key, Date.now())
    }
  }

  forget(accountId: string | undefined): void {
    this.#known.forget(accountId)
    this.#exhaustedAt.forget(accountId)
  }

  /** The usage as of now: windows that have ended start anew. */
  current(accountId: string, rules: readonly LimitRule[], now: number): LimitWindow[] {
    return rules.map((rule) => {
      const known = this.#known.get(accountId, rule.key)
      return known && known.endsAtMs > now ? { ...known, rule } : { rule, used: 0, endsAtMs: rulesEndAtMs(rule, now) }
    })
  }

  /** Whether a limit was known to leave no room at all, a moment ago. */
  isExhausted(accountId: string, rules: readonly LimitRule[], now: number): boolean {
    for (const { key, limit } of rules) {
      const known = this.#known.get(accountId, key)
      if (!known || known.endsAtMs <= now || known.used < limit) continue
      if (now - (this.#exhaustedAt.get(accountId, key) ?? 0) < trustedMs) return true
    }
    return false
  }

  /** @returns the usage that includes the request */
  count(accountId: string, windows: readonly LimitWindow[], tokens: number): LimitWindow[] {
    const counted = windows.map((window) => ({ ...window, used: window.used + amountFor(window.rule, tokens) }))
    this.remember(accountId, counted)
    for (const window of counted) this.owe(accountId, window, amountFor(window.rule, tokens))
    return counted
  }

  /** Keeps for Redis what it has not counted. @param amount less than 0 takes back */
  owe(accountId: string, { rule, endsAtMs }: Omit<Owed, 'amount'>, amount: number): void {
    const before = this.#owed.get(accountId, rule.key)
    if (before && before.endsAtMs > endsAtMs) return
    const sum = before?.endsAtMs === endsAtMs ? before.amount + amount : amount
    this.#owed.set(accountId, rule.key, { rule, endsAtMs, amount: sum })
  }

  /** @returns what Redis has to count now, once */
  takeOwed(accountId: string, rules: readonly LimitRule[], now: number): Owed[] {
    const owed = rules.flatMap(({ key }) => {
      const each = this.#owed.get(accountId, key)
      return each && each.amount !== 0 ? [each] : []
    })
    for (const each of owed) this.#owed.set(accountId, each.rule.key, { ...each, amount: 0 })
    return owed.filter(({ endsAtMs }) => endsAtMs > now)
  }

  /** @param amount in the rule's unit; less than 0 takes back */
  add(accountId: string, { key }: LimitRule, amount: number): void {
    const known = this.#known.get(accountId, key)
    if (known) known.used = Math.max(0, known.used + amount)
  }
}
