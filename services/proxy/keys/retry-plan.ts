import type { IncomingHttpHeaders } from 'node:http'
import type { Account, ProviderKey } from '../auth/account.ts'
import type { ErrorCode } from '../response/error-responses.ts'
import type { KeyHealth } from './key-health.ts'
import {
  backoffMs,
  isRefusedKey,
  isWorthRepeating,
  judgeFailure,
  judgeStatus,
  keyCooldownMs,
  retryAfterMs,
  type Verdict,
} from './retry-policy.ts'
import { isScopeError } from './scope-error.ts'

/** The attempt that follows: with which key, and after how long. */
export interface NextAttempt {
  key: ProviderKey
  afterMs: number
}

interface RetryPlanOptions {
  account: Account
  /** What is asked for: a key may cool down for it alone. */
  endpoint: string
  /** Whether the request can be sent more than once. */
  isReplayable: boolean
  health: KeyHealth
}

/**
 * Which key is tried when. A key that is at fault gives way to the next one at once. When all keys were tried, and for
 * faults of no key in particular, the request is repeated after a pause, as often as the account wants.
 */
export class RetryPlan {
  /** The key of the first attempt. */
  readonly first: ProviderKey
  readonly #options: RetryPlanOptions
  readonly #tried = new Set<string>()
  #retries = 0

  /** @throws Error for an account without keys: admission rejects its requests */
  constructor(options: RetryPlanOptions) {
    const { account, endpoint, health } = options
    const [first] = health.order(account.keys, endpoint)
    if (!first) throw new Error('an account without keys was admitted')
    this.first = first
    this.#options = options
    this.#tried.add(first.id)
  }

  /**
   * The provider responded, and what that says of the key is noted.
   * @returns undefined when this is the response that the client gets
   */
  afterResponse(key: ProviderKey, status: number, headers: IncomingHttpHeaders): NextAttempt | undefined {
    const { health, endpoint } = this.#options
    const askedForMs = retryAfterMs(headers)
    const verdict = judgeStatus(status)
    if (verdict !== 'next-key') health.recovered(key.id, endpoint)
    // What the key was refused for is in the body, which is still to come.
    else health.coolDown(key.id, keyCooldownMs(status, askedForMs), isRefusedKey(status) ? endpoint : undefined)
    return this.#next(verdict, key, status, askedForMs)
  }

  /** The whole body of a response that refused the key: it tells whether it is refused for everything. */
  afterRejection(key: ProviderKey, status: number, headers: IncomingHttpHeaders, body: Buffer): void {
    if (isRefusedKey(status) && !isScopeError(headers, body))
      this.#options.health.coolDown(key.id, keyCooldownMs(status, undefined))
  }

  /** No response came, and it is not known whether the key is to blame. @returns undefined when it is not tried again */
  afterFailure(key: ProviderKey, code: ErrorCode): NextAttempt | undefined {
    this.release(key.id)
    return this.#next(judgeFailure(code), key, undefined, undefined)
  }

  /** A key is about to be tried. */
  use(keyId: string): void {
    this.#options.health.use(keyId, this.#options.endpoint)
  }

  /** An attempt ended without saying anything of the key. */
  release(keyId: string): void {
    this.#options.health.release(keyId, this.#options.endpoint)
  }

  /** The key works. */
  recovered(keyId: string): void {
    this.#options.health.recovered(keyId, this.#options.endpoint)
  }

  #next(
    verdict: Verdict,
    current: ProviderKey,
    status: number | undefined,
    askedForMs: number | undefined,
  ): NextAttempt | undefined {
    const { account, endpoint, isReplayable, health } = this.#options
    const { keys, retryAttempts, timeout } = account
    if (verdict === 'final' || !isReplayable) return undefined
    if (verdict === 'next-key') {
      const fresh = health.order(keys, endpoint).find((key) => !this.#tried.has(key.id))
      if (fresh) {
        this.#tried.add(fresh.id)
        return { key: fresh, afterMs: 0 }
      }
      if (status !== undefined && !isWorthRepeating(status)) return undefined
    }
    // A provider that asks for a longer wait than the account's timeout is not tried again.
    if (this.#retries >= retryAttempts || (askedForMs ?? 0) > timeout) return undefined
    const afterMs = Math.max(backoffMs(this.#retries), askedForMs ?? 0)
    this.#retries += 1
    const key = verdict === 'next-key' ? (health.order(keys, endpoint)[0] ?? current) : current
    return { key, afterMs }
  }
}
