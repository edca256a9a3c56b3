import type { Result } from 'ioredis'
import type { Redis } from '#core/redis/redis.ts'
import { hour } from '#core/units.ts'
import type { Account } from '../auth/account.ts'
import type { LimitWindow } from './decision.ts'
import { type AccountLimits, amountFor, type LimitRule, rulesEndAtMs } from './limit-rules.ts'
import { reserveScript, limitScript, refundScript } from './limit-script.ts'
import { PendingRefunds } from './pending-refunds.ts'
import { countOf, noShare, type Share } from './request-leases.ts'

type Argument = string | number

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sallyportLimit(keys: number, ...keysAndTerms: Argument[]): Result<number[], Context>
    sallyportReserve(keys: number, ...keysAndTerms: Argument[]): Result<number[], Context>
    sallyportRefund(keys: number, ...keysAndAmounts: Argument[]): Result<null, Context>
  }
}

/** The counter of a day or month is kept this much longer, because the clocks of other proxies may be behind. */
const clockMarginMs = hour

interface Call extends PromiseWithResolvers<number[]> {
  limits: AccountLimits
  requests: number
  /** How many more requests may be counted in advance. */
  leased: number
  isLeaseTaken: boolean
}

/** Keys and arguments that the reserve script takes after those of the windows. */
export interface ReservationTerms {
  keys: readonly string[]
  args: readonly Argument[]
}

export interface ReservationReply {
  isGranted: boolean
  windows: LimitWindow[]
  /** Why nothing was reserved: 1 too many concurrent requests, 2 the budget is fully reserved, 3 it is spent. */
  reason: number
  reservedNanoUsd: number
  spentInDay: number
  spentInMonth: number
  leftNanoUsd: number
  openElsewhere: number
}

/**
 * Batches calls like Nagle's algorithm: a call is sent at once while none is in flight. Otherwise, an account's
 * requests in one turn of the event loop share a call, and all calls share one write.
 */
export class LimitCalls {
  readonly #redis: Redis
  readonly #patienceMs: number
  readonly #refunds = new PendingRefunds((key, amount) => this.#refund([key], [amount]))
  #queued = new Map<Account, Call>()
  #inFlight = 0

  /** @param patienceMs how long a request waits for a reply */
  constructor(redis: Redis, patienceMs: number) {
    redis.defineCommand('sallyportLimit', { lua: limitScript })
    redis.defineCommand('sallyportReserve', { lua: reserveScript })
    redis.defineCommand('sallyportRefund', { lua: refundScript })
    this.#redis = redis
    this.#patienceMs = patienceMs
  }

  /**
   * Counts one request if it is granted, or none.
   * @param wanted how many more to count in advance
   * @throws Error when Redis does not respond
   */
  async count(account: Account, limits: AccountLimits, requests: 0 | 1, wanted: number, now: number) {
    const call = this.#queued.get(account) ?? this.#enqueue(account, limits)
    call.requests += requests
    call.leased = Math.max(call.leased, wanted)
    const place = requests && call.requests
    if (this.#inFlight === 0) this.#send()
    const reply = await call.promise
    const [granted = 0, got = 0] = reply
    const isGranted = place <= granted
    const later = isGranted ? granted - place : 0
    const windows = limits.rules.map((rule, at) => windowOf(rule, reply, at, later, now))
    // Only one request or renewal of a call may take the lease.
    const takesLease = got > 0 && place === granted && !call.isLeaseTaken
    call.isLeaseTaken ||= takesLease
    const leased = takesLease ? { ...noShare, requests: got } : undefined
    const lease = leased && { windows, leased, granted, giveBack: this.giveBack }
    return { isGranted, windows, lease }
  }

  /**
   * Counts requests of a token with reservations, or only reports its state to Redis.
   * @param tokens total for all the requests
   * @param requests granted all or none; 0 only reports
   * @throws Error when Redis does not respond
   */
  async reserve(
    counted: readonly LimitRule[],
    tokens: number,
    requests: number,
    terms: ReservationTerms,
  ): Promise<ReservationReply> {
    const now = Date.now()
    const call = this.#redis.sallyportReserve(
      counted.length + terms.keys.length,
      ...counted.map(({ key }) => key),
      ...terms.keys,
      ...windowTerms(counted, Math.min(requests, 1), 0, tokens, now, requests, this.#refunds),
      ...terms.args,
      requests,
    )
    const reply = await this.#inTime(call, (late) => {
      if (late[0] === 1) this.#revert(counted, late, { ...noShare, requests, tokens }, now)
    })
    const base = 2 * counted.length + 2
    return {
      isGranted: reply[0] === 1,
      windows: counted.map((rule, at) => windowOf(rule, reply, at, 0, now)),
      reason: reply[base]!,
      reservedNanoUsd: reply[base + 1]!,
      spentInDay: reply[base + 2]!,
      spentInMonth: reply[base + 3]!,
      leftNanoUsd: reply[base + 4]!,
      openElsewhere: reply[base + 5]!,
    }
  }

  /**
   * Counts an amount that was used already, whatever the limit is.
   * @throws Error when Redis does not respond
   */
  async add(rule: LimitRule, amount: number, now: number): Promise<LimitWindow> {
    const terms = windowTerms([{ ...rule, limit: Number.MAX_SAFE_INTEGER }], 1, 0, amount, now)
    const call = this.#redis.sallyportLimit(1, rule.key, ...terms)
    return windowOf(rule, await this.#inTime(call, () => this.refund([rule], [amount])), 0, 0, now)
  }

  /** Undoes all or part of a count. If the call fails, the amount stays counted until its window ends. */
  refund(rules: readonly LimitRule[], amounts: readonly number[]): void {
    const keys = rules.map(({ key }) => key)
    if (keys.length > 0) this.#refund(keys, amounts)
  }

  /** Returns the unused part of a lease. */
  readonly giveBack = (windows: readonly LimitWindow[], left: Share): void => {
    const now = Date.now()
    const rules = windows.filter(({ endsAtMs }) => endsAtMs > now).map(({ rule }) => rule)
    const amounts = rules.map((rule) => countOf(rule, left))
    this.refund(rules, amounts)
  }

  /** Refunds with the token's next request, which saves a call. */
  refundSoon(window: Pick<LimitWindow, 'rule' | 'endsAtMs'>, amount: number): void {
    if (amount !== 0) this.#refunds.add(window, amount)
  }

  close(): void {
    this.#refunds.flush()
  }

  #refund(keys: readonly string[], amounts: readonly number[]): void {
    this.#redis.sallyportRefund(keys.length, ...keys, ...amounts).catch(() => undefined)
  }

  /** Waits for a reply for as long as a request may wait. @param hearLate receives a reply that arrives later */
  #inTime(call: Promise<number[]>, hearLate: (reply: number[]) => void): Promise<number[]> {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>()
    let isLate = false
    const giveUp = () => {
      isLate = true
      reject(new Error('the state Redis did not respond in time'))
    }
    // Polls the socket once more first: a stall of this process is not the fault of Redis.
    const timer = setTimeout(() => setImmediate(giveUp), this.#patienceMs)
    void call.then((reply) => (isLate ? hearLate(reply) : resolve(reply)), reject).finally(() => clearTimeout(timer))
    return promise
  }

  /** Undoes the counts of a late reply, because its requests were decided without it. */
  #revert(rules: readonly LimitRule[], reply: readonly number[], share: Share, now: number): void {
    const windows = rules.map((rule, at) => windowOf(rule, reply, at, 0, now))
    this.giveBack(windows, share)
  }

  #enqueue(account: Account, limits: AccountLimits): Call {
    if (this.#queued.size === 0 && this.#inFlight > 0) setImmediate(() => this.#send())
    const call = { limits, requests: 0, leased: 0, isLeaseTaken: false, ...Promise.withResolvers<number[]>() }
    this.#queued.set(account, call)
    return call
  }

  #send(): void {
    const queued = this.#queued
    this.#queued = new Map()
    const now = Date.now()
    const stream = 'stream' in this.#redis ? this.#redis.stream : undefined
    stream?.cork()
    for (const { limits, requests, leased, resolve, reject } of queued.values()) {
      this.#inFlight += 1
      const { rules } = limits
      const keys = rules.map(({ key }) => key)
      const terms = windowTerms(rules, requests, leased, 1, now)
      const reply = this.#inTime(this.#redis.sallyportLimit(keys.length, ...keys, ...terms), (late) => {
        const [granted = 0, alsoLeased = 0] = late
        this.#revert(rules, late, { ...noShare, requests: granted + alsoLeased }, now)
      })
      void reply.then(resolve, reject).finally(() => (this.#inFlight -= 1))
    }
    stream?.uncork()
  }
}

function windowTerms(
  rules: readonly LimitRule[],
  requests: number,
  leased: number,
  tokens: number,
  now: number,
  each = 1,
  refunds?: PendingRefunds,
): number[] {
  const terms = [rules.length, requests, leased]
  for (const rule of rules) {
    const leftMs = Math.max(1, rulesEndAtMs(rule, now) - now) + (rule.endsAtMs === undefined ? 0 : clockMarginMs)
    terms.push(rule.limit, leftMs, amountFor(rule, tokens, each), refunds?.take(rule.key, now) ?? 0)
  }
  return terms
}

const windowOf = (rule: LimitRule, reply: readonly number[], at: number, later: number, now: number): LimitWindow => ({
  rule,
  used: reply[2 * at + 2]! - later,
  endsAtMs: rule.endsAtMs ?? now + reply[2 * at + 3]!,
})
