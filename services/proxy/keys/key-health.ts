import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { atMost } from '#core/limits/at-most.ts'
import { minute } from '#core/units.ts'
import type { KeyStateChange } from '#store/redis/key-states.ts'
import type { ProviderKey } from '../auth/account.ts'
import { KeyLimits } from './key-limits.ts'

const maxCooldownMs = 10 * minute

export const Cooldown = z.object({
  keyId: z.string(),
  /** Undefined: the key cools down for all endpoints. */
  endpoint: z.string().optional(),
  /** ms since 1970; 0 ends a cooldown. */
  untilMs: z.number(),
})
export type Cooldown = z.infer<typeof Cooldown>

interface Cooling {
  untilMs: number
  /** Its number among all cooldowns. */
  nth: number
}

/**
 * A failed key cools down, for all endpoints or for the one that rejected it. Afterwards a single request probes it
 * (half-open circuit breaker), and others prefer other keys until the probe ends.
 */
export class KeyHealth {
  readonly limits: KeyLimits
  readonly #announce: (cooldown: Cooldown) => void
  readonly #now: () => number
  readonly #coolingKeys = new LRUCache<string, Cooling>(atMost(50_000))
  /** Separate from the keys, because clients choose endpoints and could evict keys. */
  readonly #coolingEndpoints = new LRUCache<string, Cooling>(atMost(5_000))
  /** Keys and endpoints with a probe under way. Without its mark, a key is merely probed twice. */
  readonly #probing = new LRUCache<string, true>(atMost(5_000))
  /** By key, for the dashboard. A newer report replaces one that was not taken. */
  readonly #reports = new Map<string, KeyStateChange>()
  /** How many cooldowns have begun. */
  #begun = 0

  /** @param announce publishes to the other proxies */
  constructor(announce: (cooldown: Cooldown) => void, now: () => number = Date.now) {
    this.#announce = announce
    this.#now = now
    this.limits = new KeyLimits(now)
  }

  get cooling(): number {
    const now = this.#now()
    return [...this.#coolingKeys.values()].filter(({ untilMs }) => isCooling(untilMs, now)).length
  }

  /** Healthy keys come first, then the one whose cooldown ends first. */
  order(keys: readonly ProviderKey[], endpoint: string): readonly ProviderKey[] {
    if (keys.length < 2 || keys.every(({ id }) => this.#rank(id, endpoint) === 0)) return keys
    return keys.toSorted((one, other) => this.#rank(one.id, endpoint) - this.#rank(other.id, endpoint))
  }

  /** @returns how many cooldowns have begun, for `recovered` */
  use(keyId: string, endpoint: string): number {
    if (this.#isHealthy) return this.#begun
    const now = this.#now()
    for (const place of [keyId, placeOf(keyId, endpoint)]) {
      const until = this.#untilOf(place)
      if (until !== undefined && !isCooling(until, now)) this.#probing.set(place, true)
    }
    return this.#begun
  }

  /**
   * A cooldown that began after the request was sent goes on.
   * @param begunBefore how many cooldowns had begun when it was sent
   * @returns whether this ended a cooldown
   */
  recovered(keyId: string, endpoint: string, begunBefore: number): boolean {
    if (this.#isHealthy) return false
    const isKeyEnded = endCooldown(this.#coolingKeys, keyId, begunBefore)
    if (isKeyEnded) this.#announce({ keyId, untilMs: 0 })
    const isEndpointEnded = endCooldown(this.#coolingEndpoints, placeOf(keyId, endpoint), begunBefore)
    if (isEndpointEnded) this.#announce({ keyId, endpoint, untilMs: 0 })
    this.release(keyId, endpoint)
    return isKeyEnded || isEndpointEnded
  }

  /** Ends a probe, whatever it showed. */
  release(keyId: string, endpoint: string): void {
    if (this.#probing.size === 0) return
    this.#probing.delete(keyId)
    this.#probing.delete(placeOf(keyId, endpoint))
  }

  /** @returns when the cooldown ends, ms since 1970 */
  coolDown(keyId: string, cooldownMs: number, endpoint?: string): number {
    const cooldown = { keyId, endpoint, untilMs: this.#now() + Math.min(cooldownMs, maxCooldownMs) }
    this.learn(cooldown)
    this.#announce(cooldown)
    return cooldown.untilMs
  }

  report(change: KeyStateChange): void {
    this.#reports.set(change.keyId, { ...this.#reports.get(change.keyId), ...change })
  }

  /** @returns reports since the last call */
  takeReports(): KeyStateChange[] {
    const reports = [...this.#reports.values()]
    this.#reports.clear()
    return reports
  }

  /** Applies a cooldown announced by a proxy, which may be this one. */
  learn({ keyId, endpoint, untilMs }: Cooldown): void {
    const [cooling, place] =
      endpoint === undefined ? [this.#coolingKeys, keyId] : [this.#coolingEndpoints, placeOf(keyId, endpoint)]
    if (untilMs <= this.#now()) return void cooling.delete(place)
    if (cooling.get(place)?.untilMs === untilMs) return
    this.#begun += 1
    cooling.set(place, { untilMs: Math.min(untilMs, this.#now() + maxCooldownMs), nth: this.#begun })
  }

  /** Fast path for the usual case: no key cools down or is being probed. */
  get #isHealthy(): boolean {
    return this.#coolingKeys.size === 0 && this.#coolingEndpoints.size === 0 && this.#probing.size === 0
  }

  #rank(keyId: string, endpoint: string): number {
    if (this.#isHealthy) return 0
    return Math.max(this.#rankOf(keyId), this.#rankOf(placeOf(keyId, endpoint)))
  }

  #rankOf(place: string): number {
    const until = this.#untilOf(place)
    if (until === undefined) return 0
    return isCooling(until, this.#now()) || this.#probing.has(place) ? until : 0
  }

  #untilOf(place: string): number | undefined {
    return (this.#coolingKeys.get(place) ?? this.#coolingEndpoints.get(place))?.untilMs
  }
}

const endCooldown = (cooling: LRUCache<string, Cooling>, place: string, begunBefore: number): boolean =>
  (cooling.get(place)?.nth ?? Infinity) <= begunBefore && cooling.delete(place)

/** A cooldown that ends too far in the future began before the clock was set back. */
const isCooling = (until: number, now: number) => until > now && until <= now + maxCooldownMs

const placeOf = (keyId: string, endpoint: string) => `${keyId} ${endpoint}`
