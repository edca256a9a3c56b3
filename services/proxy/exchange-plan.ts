import type { ProviderKey } from './principal-cache.ts'
import { backoffMs, isWorthRepeating, type Verdict } from './retry-policy.ts'
import type { KeyHealth } from './key-health.ts'

/** What follows a try: with which key, and after how long. */
export interface NextTry {
  key: ProviderKey
  afterMs: number
}

interface PlanOptions {
  keys: readonly ProviderKey[]
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
export class ExchangePlan {
  readonly #options: PlanOptions
  readonly #tried = new Set<string>()
  #retries = 0

  constructor(options: PlanOptions) {
    this.#options = options
  }

  /** @returns undefined when there is no key at all */
  first(): ProviderKey | undefined {
    const [key] = this.#options.health.order(this.#options.keys)
    if (key) this.#tried.add(key.id)
    return key
  }

  /**
   * @param status of the answer; undefined when none came
   * @param askedForMs how long the provider asked to wait
   * @returns undefined when the last answer is the one that the client gets
   */
  next(
    verdict: Verdict,
    current: ProviderKey,
    status: number | undefined,
    askedForMs: number | undefined,
  ): NextTry | undefined {
    if (verdict === 'final') return undefined
    const { keys, retries, patienceMs, health } = this.#options
    if (verdict === 'next-key') {
      const fresh = health.order(keys).find((key) => !this.#tried.has(key.id))
      if (fresh) {
        this.#tried.add(fresh.id)
        return { key: fresh, afterMs: 0 }
      }
      if (status !== undefined && !isWorthRepeating(status)) return undefined
    }
    if (this.#retries >= retries || (askedForMs ?? 0) > patienceMs) return undefined
    const afterMs = Math.max(backoffMs(this.#retries), askedForMs ?? 0)
    this.#retries += 1
    const key = verdict === 'next-key' ? (health.order(keys)[0] ?? current) : current
    return { key, afterMs }
  }
}
