import type { Result } from 'ioredis'
import type { Redis } from '#core/resources.ts'
import type { Account } from '../auth/account.ts'
import { limitScript, refundScript } from './limit-script.ts'

type LimitReply = [
  granted: number,
  /** Why the others were not granted: 1 minute, 2 quota, 3 budget. */
  verdict: number,
  minuteUsed: number,
  minuteLeftMs: number,
  quotaUsed: number,
  spentNanoUsd: number,
  prefetched: number,
]

export type LimitTerms = [
  minuteKey: string,
  quotaKey: string,
  spendKey: string,
  minuteLimit: number,
  windowMs: number,
  quotaLimit: number,
  quotaMs: number,
  spendLimitNanoUsd: number,
  maxPrefetch: number,
]

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sallyportLimit(...termsAndRequests: [...LimitTerms, requests: number]): Result<LimitReply, Context>
    sallyportRefund(minuteKey: string, quotaKey: string, minute: 0 | 1, quota: 0 | 1): Result<null, Context>
  }
}

interface Call extends PromiseWithResolvers<LimitReply> {
  requests: number
}

/**
 * Batches calls like Nagle's algorithm: a call is sent at once while none is in flight. Otherwise all requests of an
 * account in one turn of the event loop share a call, and all calls share one write.
 */
export class LimitCalls {
  readonly #redis: Redis
  readonly #termsOf: (account: Account) => LimitTerms
  #queued = new Map<Account, Call>()
  #inFlight = 0

  constructor(redis: Redis, termsOf: (account: Account) => LimitTerms) {
    redis.defineCommand('sallyportLimit', { numberOfKeys: 3, lua: limitScript })
    redis.defineCommand('sallyportRefund', { numberOfKeys: 2, lua: refundScript })
    this.#redis = redis
    this.#termsOf = termsOf
  }

  /** Counts one request, if it is granted (verdict 0). @throws Error when Redis does not respond */
  async count(account: Account) {
    const call = this.#queued.get(account) ?? this.#enqueue(account)
    call.requests += 1
    const place = call.requests
    if (this.#inFlight === 0) this.#send()
    const [granted, verdict, minuteUsed, minuteLeftMs, quotaUsed, spentNanoUsd, prefetched] = await call.promise
    const isGranted = place <= granted
    const later = isGranted ? granted - place : 0
    return {
      verdict: isGranted ? 0 : verdict,
      minuteUsed: minuteUsed - later,
      minuteLeftMs,
      quotaUsed: quotaUsed - later,
      spentNanoUsd,
      // Only one request of a call may take the prefetched ones.
      prefetched: place === granted ? prefetched : 0,
    }
  }

  /** Uncounts a request. If Redis misses it, the account has one request less. */
  refund(account: Account, { minute, quota }: { minute: boolean; quota: boolean }): void {
    const [minuteKey, quotaKey] = this.#termsOf(account)
    this.#redis.sallyportRefund(minuteKey, quotaKey, minute ? 1 : 0, quota ? 1 : 0).catch(() => undefined)
  }

  #enqueue(account: Account): Call {
    if (this.#queued.size === 0 && this.#inFlight > 0) setImmediate(() => this.#send())
    const call = { requests: 0, ...Promise.withResolvers<LimitReply>() }
    this.#queued.set(account, call)
    return call
  }

  #send(): void {
    const queued = this.#queued
    this.#queued = new Map()
    const { stream } = this.#redis
    stream?.cork()
    for (const [account, call] of queued) {
      this.#inFlight += 1
      const reply = this.#redis.sallyportLimit(...this.#termsOf(account), call.requests)
      void reply.then(call.resolve, call.reject).finally(() => (this.#inFlight -= 1))
    }
    stream?.uncork()
  }
}
