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
  /** Names what this entry tells: its total starts at nothing, also where there was an entry of the token before. */
  part: string
  /** Spent through this proxy, and how much of that Redis has confirmed. */
  own: number
  told: number
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
 * budgets hold while Redis is away. What Redis has not confirmed is told again until it has: nobody knows whether a
 * write that was not answered was done, so it is made such that doing it twice changes nothing.
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
    const spent = entry ? entry.known + entry.own - entry.told : 0
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
    // Redis was away a moment ago: all is told together when it is tried again.
    if (!this.#retry) this.#tell(entry).catch(() => this.#tellLater())
  }

  /** Tells what is left to tell, if Redis is there. */
  async close(): Promise<void> {
    clearTimeout(this.#retry)
    await this.#tellAll().catch(() => undefined)
  }

  #entryOf(account: Account): Spending {
    const key = this.keyOf(account)
    let entry = this.#entries.get(key)
    if (!entry) {
      entry = { key, endsAtMs: monthEndsAtMs(this.#now()), part: randomUUID(), own: 0, told: 0, known: 0 }
      this.#entries.set(key, entry)
    }
    return entry
  }

  async #tell(entry: Spending): Promise<void> {
    const { key, part, own, endsAtMs } = entry
    const spent = await this.#redis.sallyportSpend(key, `${key}:parts`, part, own, endsAtMs)
    entry.told = Math.max(entry.told, own)
    entry.known = Math.max(entry.known, spent)
  }

  #tellLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      this.#tellAll().catch(() => this.#tellLater())
    }, retryMs).unref()
  }

  /** One after the other: while Redis is away, the first one finds out for all of them. */
  async #tellAll(): Promise<void> {
    const now = this.#now()
    const untold = [...this.#entries.values()].filter(({ own, told, endsAtMs }) => own > told && endsAtMs > now)
    for (const entry of untold) await this.#tell(entry)
  }
}
