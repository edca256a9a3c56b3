import type { IncomingHttpHeaders } from 'node:http'
import type { Account, ProviderKey } from '../auth/account.ts'
import type { Delivery } from '../request/delivery.ts'
import type { ErrorCode } from '../response/error-responses.ts'
import type { KeyHealth } from './key-health.ts'
import {
  backoffMs,
  isRejectedKey,
  judgeFailure,
  judgeStatus,
  keyCooldownMs,
  retryAfterMs,
  type Verdict,
} from './retry-policy.ts'
import { isScopeError } from './scope-error.ts'

export interface NextAttempt {
  key: ProviderKey
  afterMs: number
}

interface RetryPlanOptions {
  account: Account
  endpoint: string
  /** Whether the request can be sent more than once. */
  isReplayable: boolean
  /** Whether it does no harm if the provider processes the request twice. */
  isIdempotent: boolean
  health: KeyHealth
}

/**
 * Chooses the key of each attempt. A failing key is replaced by the next one at once. When all keys were tried, or no key
 * is at fault, the request is retried with backoff, as often as the account allows.
 */
export class RetryPlan {
  readonly first: ProviderKey
  readonly #options: RetryPlanOptions
  readonly #tried = new Set<string>()
  #retries = 0
  #hasMetStaleConnection = false

  /** @throws Error for an account without keys: admission rejects its requests */
  constructor(options: RetryPlanOptions) {
    const { account, endpoint, health } = options
    const [first] = health.order(account.keys, endpoint)
    if (!first) throw new Error('an account without keys was admitted')
    this.first = first
    this.#options = options
    this.#tried.add(first.id)
  }

  /** @returns undefined when the client gets this response */
  afterResponse(key: ProviderKey, status: number, headers: IncomingHttpHeaders): NextAttempt | undefined {
    const { health, endpoint } = this.#options
    const retryAfter = retryAfterMs(headers)
    const verdict = judgeStatus(status)
    if (verdict !== 'next-key') health.recovered(key.id, endpoint)
    // For this endpoint only: the body, which is still to come, says whether the key is rejected as such.
    else health.coolDown(key.id, keyCooldownMs(status, retryAfter), isRejectedKey(status) ? endpoint : undefined)
    return this.#next(verdict, key, status, retryAfter)
  }

  /** Call it with the complete body of a response that may have rejected the key. */
  afterRejection(key: ProviderKey, status: number, headers: IncomingHttpHeaders, body: Buffer): void {
    if (isRejectedKey(status) && !isScopeError(headers, body))
      this.#options.health.coolDown(key.id, keyCooldownMs(status, undefined))
  }

  /** No response came. @returns undefined when there is no further attempt */
  afterFailure(key: ProviderKey, code: ErrorCode, delivery?: Delivery): NextAttempt | undefined {
    this.release(key.id)
    const { isIdempotent, isReplayable } = this.#options
    const maySendTwice = delivery?.wasSent === false || (isIdempotent && !delivery?.hasReceived)
    const verdict = judgeFailure(code, maySendTwice)
    const hasEnded = delivery?.isStale && code !== 'upstream_timeout'
    if (verdict === 'retry' && isReplayable && hasEnded && !this.#hasMetStaleConnection) {
      // The provider has closed an idle connection, so this was not one of the account's tries.
      this.#hasMetStaleConnection = true
      return { key, afterMs: 0 }
    }
    return this.#next(verdict, key)
  }

  use(keyId: string): void {
    this.#options.health.use(keyId, this.#options.endpoint)
  }

  /** An attempt ended without telling whether the key works. */
  release(keyId: string): void {
    this.#options.health.release(keyId, this.#options.endpoint)
  }

  recovered(keyId: string): void {
    this.#options.health.recovered(keyId, this.#options.endpoint)
  }

  #next(verdict: Verdict, current: ProviderKey, status?: number, retryAfter = 0): NextAttempt | undefined {
    const { account, endpoint, isReplayable, health } = this.#options
    const { keys, retryAttempts, timeout } = account
    if (verdict === 'final' || !isReplayable) return undefined
    let key = current
    if (verdict === 'next-key') {
      const ordered = health.order(keys, endpoint)
      const untried = ordered.find(({ id }) => !this.#tried.has(id))
      if (untried) {
        this.#tried.add(untried.id)
        return { key: untried, afterMs: 0 }
      }
      if (status !== undefined && isRejectedKey(status)) return undefined
      key = ordered[0] ?? current
    }
    // A provider that asks for a longer wait than the account's timeout is not tried again.
    if (this.#retries >= retryAttempts || retryAfter > timeout) return undefined
    const afterMs = Math.max(backoffMs(this.#retries), retryAfter)
    this.#retries += 1
    return { key, afterMs }
  }
}
