import { randomUUID } from 'node:crypto'
import type { Result } from 'ioredis'
import { LRUCache } from 'lru-cache'
import type { Redis } from '#core/resources.ts'
import { second } from '#core/units.ts'
import type { Account } from '../auth/account.ts'
import { monthEndsAtMs, monthOf } from './period.ts'

const retryMs = second

/**
 * Adds the increase of a reporter's total to a token's spend, so that a total that is reported twice or late counts once.
 * KEYS: token spend, totals of the reporters. ARGV: reporter, its total in nano-USD, expiry of both keys (ms since 1970).
 * Returns: the token's spend over all reporters, nano-USD.
 */
const spendScript = `
local more = tonumber(ARGV[2]) - tonumber(redis.call('HGET', KEYS[2], ARGV[1]) or '0')
if more <= 0 then return tonumber(redis.call('GET', KEYS[1]) or '0') end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('PEXPIREAT', KEYS[2], ARGV[3])
local spent = redis.call('INCRBY', KEYS[1], more)
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return spent
`

/** One token in one month, nano-USD. */
interface Spending {
  key: string
  endsAtMs: number
  /** New for each entry, because the total of an entry starts at 0. */
  reporter: string
  /** Spent through this proxy, and the part of it that Redis has confirmed. */
  ownTotal: number
  reportedTotal: number
  /** Spent through all proxies, as last reported by Redis. */
  sharedTotal: number
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sallyportSpend(key: string, parts: string, reporter: string, total: number, endMs: number): Result<number, Context>
  }
}

/**
 * The monthly cost of tokens with a budget: shared through Redis, and kept here so that budgets hold while Redis is
 * unavailable. Totals are reported until Redis confirms them.
 */
export class TokenSpending {
  readonly #redis: Redis
  readonly #now: () => number
  /** Evicting an entry loses what Redis has not confirmed of it. */
  readonly #entries = new LRUCache<string, Spending>({ max: 20_000 })
  #retry: NodeJS.Timeout | undefined

  constructor(redis: Redis, now: () => number = Date.now) {
    redis.defineCommand('sallyportSpend', { numberOfKeys: 2, lua: spendScript })
    this.#redis = redis
    this.#now = now
  }

  keyOf({ accountId, tokenId }: Account): string {
    return `spend:{${accountId}}:${tokenId}:${monthOf(this.#now())}`
  }

  isUsedUp(account: Account): boolean {
    if (account.monthlyBudgetNanoUsd === null) return false
    const entry = this.#entries.get(this.keyOf(account))
    const spent = entry ? entry.sharedTotal + entry.ownTotal - entry.reportedTotal : 0
    return spent >= account.monthlyBudgetNanoUsd
  }

  /** @param spentNanoUsd as Redis has it; an older value than the known one is ignored */
  learn(account: Account, spentNanoUsd: number): void {
    const entry = this.#entryOf(account)
    entry.sharedTotal = Math.max(entry.sharedTotal, spentNanoUsd)
  }

  add(account: Account, costNanoUsd: number): void {
    const entry = this.#entryOf(account)
    entry.ownTotal += costNanoUsd
    // A pending retry reports all entries.
    if (!this.#retry) this.#report(entry).catch(() => this.#reportLater())
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry)
    await this.#reportAll().catch(() => undefined)
  }

  #entryOf(account: Account): Spending {
    const key = this.keyOf(account)
    let entry = this.#entries.get(key)
    if (!entry) {
      const endsAtMs = monthEndsAtMs(this.#now())
      entry = { key, endsAtMs, reporter: randomUUID(), ownTotal: 0, reportedTotal: 0, sharedTotal: 0 }
      this.#entries.set(key, entry)
    }
    return entry
  }

  async #report(entry: Spending): Promise<void> {
    const { key, reporter, ownTotal, endsAtMs } = entry
    const spent = await this.#redis.sallyportSpend(key, `${key}:parts`, reporter, ownTotal, endsAtMs)
    entry.reportedTotal = Math.max(entry.reportedTotal, ownTotal)
    entry.sharedTotal = Math.max(entry.sharedTotal, spent)
  }

  #reportLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      this.#reportAll().catch(() => this.#reportLater())
    }, retryMs).unref()
  }

  /** One by one, so that the first failure ends it while Redis is unavailable. */
  async #reportAll(): Promise<void> {
    const now = this.#now()
    const unreported = [...this.#entries.values()].filter(
      ({ ownTotal, reportedTotal, endsAtMs }) => ownTotal > reportedTotal && endsAtMs > now,
    )
    for (const entry of unreported) await this.#report(entry)
  }
}
