import type { Result } from 'ioredis'
import type { Redis } from '#core/resources.ts'
import type { Account } from '../auth/account.ts'
import { limitScript } from './limit-script.ts'
import { refundScript } from './refund-script.ts'

type LimitReply = [
  granted: number,
  verdict: number,
  minuteUsed: number,
  minuteLeftMs: number,
  quotaUsed: number,
  spentNanoUsd: number,
  ahead: number,
]

/** Keys and limits of a account, as the script takes them. */
export type LimitTerms = [
  minuteKey: string,
  quotaKey: string,
  spendKey: string,
  minuteLimit: number,
  windowMs: number,
  quotaLimit: number,
  quotaMs: number,
  spendLimitNanoUsd: number,
  mostAhead: number,
]

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sallyportLimit(...termsAndRequests: [...LimitTerms, requests: number]): Result<LimitReply, Context>
    sallyportRefund(minuteKey: string, quotaKey: string, minute: 0 | 1, quota: 0 | 1): Result<null, Context>
  }
}

/** Where one request stands among those that were counted; verdicts are those of the script, 0 for granted. */
interface Place {
  verdict: number
  minuteUsed: number
  minuteLeftMs: number
  quotaUsed: number
  spentNanoUsd: number
  /** Requests that were counted in advance; one of those that were counted together gets them. */
  ahead: number
}

interface Call extends PromiseWithResolvers<LimitReply> {
  requests: number
}

/**
 * Asks Redis as Nagle's algorithm sends: at once while nothing is under way; otherwise once for all requests of a
 * account that come in one turn of the event loop, in one write for all accounts. A call costs more than the rest of a
 * limit.
 */
export class LimitCalls {
  readonly #redis: Redis
  readonly #termsOf: (account: Account) => LimitTerms
  #turn = new Map<Account, Call>()
  /** Calls that Redis has not responded to. */
  #underWay = 0

  constructor(redis: Redis, termsOf: (account: Account) => LimitTerms) {
    redis.defineCommand('sallyportLimit', { numberOfKeys: 3, lua: limitScript })
    redis.defineCommand('sallyportRefund', { numberOfKeys: 2, lua: refundScript })
    this.#redis = redis
    this.#termsOf = termsOf
  }

  /** Counts one request, if it is granted. @throws Error when Redis does not respond */
  async count(account: Account): Promise<Place> {
    const call = this.#turn.get(account) ?? this.#open(account)
    call.requests += 1
    const place = call.requests
    if (this.#underWay === 0) this.#send()
    const [granted, verdict, minuteUsed, minuteLeftMs, quotaUsed, spentNanoUsd, ahead] = await call.promise
    const known = { minuteLeftMs, spentNanoUsd, ahead: place === granted ? ahead : 0 }
    if (place > granted) return { ...known, verdict, minuteUsed, quotaUsed }
    const later = granted - place
    return { ...known, verdict: 0, minuteUsed: minuteUsed - later, quotaUsed: quotaUsed - later }
  }

  /** Takes a request back that was counted. If Redis does not hear of it, the account has one less. */
  refund(account: Account, { minute, quota }: { minute: boolean; quota: boolean }): void {
    const [minuteKey, quotaKey] = this.#termsOf(account)
    this.#redis.sallyportRefund(minuteKey, quotaKey, minute ? 1 : 0, quota ? 1 : 0).catch(() => undefined)
  }

  #open(account: Account): Call {
    if (this.#turn.size === 0 && this.#underWay > 0) setImmediate(() => this.#send())
    const call = { requests: 0, ...Promise.withResolvers<LimitReply>() }
    this.#turn.set(account, call)
    return call
  }

  #send(): void {
    const turn = this.#turn
    this.#turn = new Map()
    const { stream } = this.#redis
    stream?.cork()
    for (const [account, call] of turn) {
      this.#underWay += 1
      const reply = this.#redis.sallyportLimit(...this.#termsOf(account), call.requests)
      void reply.then(call.resolve, call.reject).finally(() => (this.#underWay -= 1))
    }
    stream?.uncork()
  }
}
