import type { IncomingHttpHeaders } from 'node:http'
import type { KeyFailure } from '#store/redis/key-states.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import type { Account, ProviderKey } from '../auth/account.ts'
import type { Delivery } from '../request/delivery.ts'
import type { KeyHealth } from './key-health.ts'
import {
  backoffMs,
  isRejectedKey,
  isFinal,
  isScopeError,
  classifyFailure,
  classifyStatus,
  keyCooldownMs,
  retryAfterMs,
  type RetryAction,
} from './retry-policy.ts'
import type { ProviderError } from '../response/provider-error.ts'

export interface NextAttempt {
  key: ProviderKey
  afterMs: number
}

/** For the message shown next to the key. */
const maxKeyMessage = 300

interface RetryPlanOptions {
  account: Account
  endpoint: string
  /** Whether the request can be sent more than once. */
  isRepeatable: boolean
  /** Whether the provider may safely process the request twice. */
  isIdempotent: boolean
  health: KeyHealth
  /** The key that created the object that the request refers to. */
  makerId?: string | undefined
}

/**
 * Chooses the key for each attempt. A failing key is replaced by the next one at once. When all keys were tried, or no
 * key is at fault, the request is retried with backoff, as often as the account allows, with the key that may be asked
 * first.
 */
export class RetryPlan {
  readonly first: ProviderKey
  readonly #options: RetryPlanOptions
  /** Keys that failed, and when each may be asked again, as `performance.now()`. */
  readonly #failed = new Map<string, number>()
  #retries = 0
  /** How many cooldowns had begun when the current attempt was sent. */
  #cooldownsBefore = 0
  #hasMetStaleConnection = false
  /** By key, because a response body may arrive after the next attempt has failed. */
  #failures: Map<string, KeyFailure> | undefined

  /** @throws Error for an account without keys: admission rejects its requests */
  constructor(options: RetryPlanOptions) {
    this.#options = options
    const [first] = this.#order()
    if (!first) throw new Error('an account without keys was admitted')
    this.first = first
  }

  /** @returns undefined when the client gets this response */
  afterResponse(key: ProviderKey, status: number, headers: IncomingHttpHeaders): NextAttempt | undefined {
    const { account, health, endpoint } = this.#options
    health.limits.observe(account, key.id, headers)
    const retryAfter = retryAfterMs(headers)
    const action = classifyStatus(status)
    // For this endpoint only: whether the key itself is rejected depends on the body, which has yet to arrive.
    if (action === 'next-key')
      this.#coolDown(key, status, keyCooldownMs(status, retryAfter), isRejectedKey(status) ? endpoint : undefined)
    else this.recovered(key.id)
    return this.#next(action, key, status, isFinal(headers) ? Number.POSITIVE_INFINITY : retryAfter)
  }

  /** Call it once the body of a response for which the key may be at fault is complete. */
  afterRejection(key: ProviderKey, status: number, headers: IncomingHttpHeaders, error: ProviderError | null): void {
    if (classifyStatus(status) !== 'next-key') return
    const message = error?.message.slice(0, maxKeyMessage) ?? null
    if (isRejectedKey(status) && !isScopeError(headers, error))
      this.#coolDown(key, status, keyCooldownMs(status, undefined), undefined, message)
    else this.#describeFailure(key, message)
  }

  /** For an attempt without a response. @returns undefined if no further attempt follows */
  afterFailure(key: ProviderKey, code: ProxyErrorCode, delivery: Delivery): NextAttempt | undefined {
    this.release(key.id)
    const { isIdempotent, isRepeatable } = this.#options
    const maySendTwice = !delivery.wasSent || (isIdempotent && !delivery.hasReceived)
    const action = classifyFailure(code, maySendTwice)
    const hasEnded = delivery.isStale && code !== 'upstream_timeout'
    if (action === 'retry' && isRepeatable && hasEnded && !this.#hasMetStaleConnection) {
      // The provider closed an idle connection, so this does not count as a retry.
      this.#hasMetStaleConnection = true
      return { key, afterMs: 0 }
    }
    return this.#next(action, key)
  }

  use(keyId: string): void {
    const { account, health, endpoint } = this.#options
    this.#cooldownsBefore = health.use(keyId, endpoint)
    if (account.distribution === 'spread') health.limits.began(account, keyId)
  }

  /** Ends the attempt that `use` began. */
  done(keyId: string): void {
    if (this.#options.account.distribution === 'spread') this.#options.health.limits.ended(keyId)
  }

  /** For an attempt that has ended without showing that the key works. */
  release(keyId: string): void {
    this.#options.health.release(keyId, this.#options.endpoint)
  }

  recovered(keyId: string): void {
    const { account, health, endpoint } = this.#options
    if (health.recovered(keyId, endpoint, this.#cooldownsBefore))
      health.report({ accountId: account.accountId, keyId, recoveredAtMs: Date.now() })
  }

  #coolDown(key: ProviderKey, status: number, cooldownMs: number, endpoint?: string, message: string | null = null) {
    const { account, health } = this.#options
    // A probe marks both the key and the endpoint, and only one of them may cool down now.
    this.release(key.id)
    const cooldownUntilMs = health.coolDown(key.id, cooldownMs, endpoint)
    const failure = { status, message, endpoint: endpoint ?? null, atMs: Date.now(), cooldownUntilMs }
    this.#failures ??= new Map()
    this.#failures.set(key.id, failure)
    health.report({ accountId: account.accountId, keyId: key.id, failure })
  }

  #describeFailure(key: ProviderKey, message: string | null): void {
    const failure = this.#failures?.get(key.id)
    if (!failure || message === null) return
    const { account, health } = this.#options
    health.report({ accountId: account.accountId, keyId: key.id, failure: { ...failure, message } })
  }

  /** The key that created the object comes first, unless it is cooling down. */
  #order(): readonly ProviderKey[] {
    const { account, endpoint, health, makerId } = this.#options
    if (account.keys.length < 2) return account.keys
    const keys = account.distribution === 'spread' ? health.limits.spread(account.keys) : account.keys
    const maker = makerId === undefined ? undefined : keys.find(({ id }) => id === makerId)
    return health.order(maker ? [maker, ...keys.filter((key) => key !== maker)] : keys, endpoint)
  }

  #next(action: RetryAction, current: ProviderKey, status?: number, retryAfter = 0): NextAttempt | undefined {
    const { account, isRepeatable } = this.#options
    const { retryAttempts, timeout } = account
    if (action === 'final' || !isRepeatable) return undefined
    const now = performance.now()
    const isRejected = status !== undefined && isRejectedKey(status)
    this.#failed.set(current.id, isRejected ? Number.POSITIVE_INFINITY : now + retryAfter)
    const waitFor = ({ id }: ProviderKey) => Math.max(0, (this.#failed.get(id) ?? 0) - now)
    let key = current
    if (action === 'next-key') {
      const ordered = this.#order()
      const untried = ordered.find(({ id }) => !this.#failed.has(id))
      if (untried) return { key: untried, afterMs: 0 }
      key = ordered.toSorted((one, other) => waitFor(one) - waitFor(other))[0] ?? current
    }
    // No retry if the provider asks to wait longer than the account's timeout.
    if (this.#retries >= retryAttempts || waitFor(key) > timeout) return undefined
    const afterMs = Math.max(backoffMs(this.#retries), waitFor(key))
    this.#retries += 1
    return { key, afterMs }
  }
}
