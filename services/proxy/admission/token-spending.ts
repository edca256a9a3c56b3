import { randomUUID } from 'node:crypto'
import type { Result } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Redis } from '#core/resources.ts'
import { second } from '#core/units.ts'
import type { Account } from '../auth/account.ts'
import { monthEndsAtMs, monthOf } from './period.ts'
import { spendScript } from './spend-script.ts'

const retryMs = second

/** What is known of one token in one month, nano-USD. */
interface Spending {
  key: string
  endsAtMs: number
  /** Names what this entry reports: its total starts at 0, also where the token had an entry before. */
  part: string
  /** Spent through this proxy, and how much of that Redis has confirmed. */
  own: number
  reportedTotal: number
  /** Spent through all proxies, as Redis said last. */
  known: number
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sallyportSpend(key: string, parts: string, part: string, own: number, endsAtMs: number): Result<number, Context>
  }
}

/**
 * What tokens with a budget have cost this month: in Redis for all proxies, and here as far as this one knows, so that
 * budgets hold while Redis is away. What Redis has not confirmed is reported again until it has. A write without a reply
 * may have been done, so doing it twice changes nothing.
 */
export class TokenSpending {
  readonly #redis: Redis
  readonly #now: () => number
  /** With more tokens than this, what is not confirmed of those that have not been used for longest is lost. */
  readonly #entries = new LRUCache<string, Spending>({ max: 20_000 })
  #retry: NodeJS.Timeout | undefined

  constructor(redis: Redis, now: () => number) {
    redis.defineCommand('sallyportSpend', { numberOfKeys: 2, lua: spendScript })
    this.#redis = redis
    this.#now = now
  }

  /** Where Redis keeps what a token has cost this month. */
  keyOf({ accountId, tokenId }: Account): string {
    return `spend:{${accountId}}:${tokenId}:${monthOf(this.#now())}`
  }

  /** Only a budget that is larger, or a new month, makes this untrue again. */
  isUsedUp(account: Account): boolean {
    if (account.monthlyBudgetNanoUsd === null) return false
    const entry = this.#entries.get(this.keyOf(account))
    const spent = entry ? entry.known + entry.own - entry.reportedTotal : 0
    return spent >= account.monthlyBudgetNanoUsd
  }

  /** Takes note of what Redis says. */
  learn(account: Account, spentNanoUsd: number): void {
    const entry = this.#entryOf(account)
    entry.known = Math.max(entry.known, spentNanoUsd)
  }

  add(account: Account, costNanoUsd: number): void {
    const entry = this.#entryOf(account)
    entry.own += costNanoUsd
    // Redis was away a moment ago: all is reported together at the next try.
    if (!this.#retry) this.#report(entry).catch(() => this.#reportLater())
  }

  /** Reports what is left to report, if Redis is there. */
  async close(): Promise<void> {
    clearTimeout(this.#retry)
    await this.#reportAll().catch(() => undefined)
  }

  #entryOf(account: Account): Spending {
    const key = this.keyOf(account)
    let entry = this.#entries.get(key)
    if (!entry) {
      entry = { key, endsAtMs: monthEndsAtMs(this.#now()), part: randomUUID(), own: 0, reportedTotal: 0, known: 0 }
      this.#entries.set(key, entry)
    }
    return entry
  }

  async #report(entry: Spending): Promise<void> {
    const { key, part, own, endsAtMs } = entry
    const spent = await this.#redis.sallyportSpend(key, `${key}:parts`, part, own, endsAtMs)
    entry.reportedTotal = Math.max(entry.reportedTotal, own)
    entry.known = Math.max(entry.known, spent)
  }

  #reportLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      this.#reportAll().catch(() => this.#reportLater())
    }, retryMs).unref()
  }

  /** One after the other: while Redis is away, the first one finds out for all of them. */
  async #reportAll(): Promise<void> {
    const now = this.#now()
    const unreported = [...this.#entries.values()].filter(
      ({ own, reportedTotal, endsAtMs }) => own > reportedTotal && endsAtMs > now,
    )
    for (const entry of unreported) await this.#report(entry)
  }
}
