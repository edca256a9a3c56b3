import type { IncomingHttpHeaders } from 'node:http'
import type { KeyHealth } from './key-health.ts'
import type { ProviderKey } from '../auth/credential-cache.ts'
import type { ErrorCode } from '../response/error-responses.ts'
import {
  backoffMs,
  isRefusedKey,
  isWorthRepeating,
  judgeFailure,
  judgeStatus,
  keyRestMs,
  retryAfterMs,
  type Verdict,
} from './retry-policy.ts'
import { isScopeError } from './scope-error.ts'

/** What follows a try: with which key, and after how long. */
export interface NextTry {
  key: ProviderKey
  afterMs: number
}

interface PlanOptions {
  keys: readonly ProviderKey[]
  /** What is asked for: a key may rest for it alone. */
  endpoint: string
  /** Whether the request can be sent more than once. */
  isReplayable: boolean
  /** Tries after the first one. */
  retries: number
  /** Longest wait that a provider may ask for, ms. */
  patienceMs: number
  health: KeyHealth
}

/**
 * Which key is tried when. A key that is at fault gives way to the next one at once; when each of them had its turn,
 * and for faults that are nobody's in particular, the request is repeated after a pause as often as the account wants.
 */
export class RetryPlan {
  readonly #options: PlanOptions
  readonly #tried = new Set<string>()
  #retries = 0

  constructor(options: PlanOptions) {
    this.#options = options
  }

  /** The key is in use from now on, or until `giveUp`. @returns undefined when there is no key at all */
  first(): ProviderKey | undefined {
    const { health, keys, endpoint } = this.#options
    const [key] = health.order(keys, endpoint)
    if (!key) return undefined
    this.#tried.add(key.id)
    health.use(key.id, endpoint)
    return key
  }

  /** No key is tried after all. */
  giveUp(): void {
    for (const keyId of this.#tried) this.release(keyId)
  }

  /**
   * The provider answered, and what that says of the key is noted.
   * @returns undefined when this is the answer that the client gets
   */
  afterAnswer(key: ProviderKey, status: number, headers: IncomingHttpHeaders): NextTry | undefined {
    const { health, endpoint } = this.#options
    const askedForMs = retryAfterMs(headers)
    const verdict = judgeStatus(status)
    if (verdict !== 'next-key') health.recovered(key.id, endpoint)
    // Of a refused key it is not known yet for what: that stands in the body.
    else health.rest(key.id, keyRestMs(status, askedForMs), isRefusedKey(status) ? endpoint : undefined)
    return this.#next(verdict, key, status, askedForMs)
  }

  /** The whole body of a response that refused the key: it tells whether it is refused for everything. */
  afterRefusal(key: ProviderKey, status: number, headers: IncomingHttpHeaders, body: Buffer): void {
    if (isRefusedKey(status) && !isScopeError(headers, body))
      this.#options.health.rest(key.id, keyRestMs(status, undefined))
  }

  /** Call it when a key is about to be tried. */
  use(keyId: string): void {
    this.#options.health.use(keyId, this.#options.endpoint)
  }

  /** A try ended without saying anything of the key. */
  release(keyId: string): void {
    this.#options.health.release(keyId, this.#options.endpoint)
  }

  /** The key works. */
  recovered(keyId: string): void {
    this.#options.health.recovered(keyId, this.#options.endpoint)
  }

  /** No answer came, and nobody knows whether the key is to blame. @returns undefined when it is not tried again */
  afterFailure(key: ProviderKey, code: ErrorCode): NextTry | undefined {
    this.release(key.id)
    return this.#next(judgeFailure(code), key, undefined, undefined)
  }

  #next(
    verdict: Verdict,
    current: ProviderKey,
    status: number | undefined,
    askedForMs: number | undefined,
  ): NextTry | undefined {
    const { keys, endpoint, isReplayable, retries, patienceMs, health } = this.#options
    if (verdict === 'final' || !isReplayable) return undefined
    if (verdict === 'next-key') {
      const fresh = health.order(keys, endpoint).find((key) => !this.#tried.has(key.id))
      if (fresh) {
        this.#tried.add(fresh.id)
        return { key: fresh, afterMs: 0 }
      }
      if (status !== undefined && !isWorthRepeating(status)) return undefined
    }
    if (this.#retries >= retries || (askedForMs ?? 0) > patienceMs) return undefined
    const afterMs = Math.max(backoffMs(this.#retries), askedForMs ?? 0)
    this.#retries += 1
    const key = verdict === 'next-key' ? (health.order(keys, endpoint)[0] ?? current) : current
    return { key, afterMs }
  }
}
