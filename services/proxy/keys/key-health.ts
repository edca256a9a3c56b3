import { LRUCache } from 'lru-cache'
import type { ProviderKey } from '../auth/account.ts'

/** Longer cooldowns are cut: a provider that says "tomorrow" may be asked again sooner. */
const longestCooldownMs = 10 * 60_000

/** A key is left alone, for everything or for one endpoint. */
export interface Cooldown {
  keyId: string
  endpoint?: string | undefined
  /** ms since 1970; in the past: the cooldown is over. */
  untilMs: number
}

/**
 * A key that failed cools down, for everything or for the endpoint that rejected it. When that is over, one request
 * probes it (half open), and the others keep to other keys until the probe has ended.
 */
export class KeyHealth {
  readonly #announce: (cooldown: Cooldown) => void
  readonly #now: () => number
  readonly #coolingKeys = new LRUCache<string, number>({ max: 50_000 })
  /** Apart, because clients choose endpoints: these must not push out keys. */
  readonly #coolingEndpoints = new LRUCache<string, number>({ max: 5_000 })
  readonly #probing = new Set<string>()

  /** @param announce tells the other proxies */
  constructor(announce: (cooldown: Cooldown) => void, { now = Date.now }: { now?: () => number } = {}) {
    this.#announce = announce
    this.#now = now
  }

  /** How many keys cool down, for everything. */
  get cooling(): number {
    const now = this.#now()
    return [...this.#coolingKeys.values()].filter((until) => until > now).length
  }

  /** Keys in the order in which they are to be tried: those that work, then those that cool down, soonest back first. */
  order(keys: readonly ProviderKey[], endpoint: string): readonly ProviderKey[] {
    if (keys.length < 2 || keys.every(({ id }) => this.#rank(id, endpoint) === 0)) return keys
    return keys.toSorted((one, other) => this.#rank(one.id, endpoint) - this.#rank(other.id, endpoint))
  }

  /** Call it when a key is about to be used. */
  use(keyId: string, endpoint: string): void {
    const now = this.#now()
    for (const place of [keyId, placeOf(keyId, endpoint)]) {
      const until = this.#untilOf(place)
      if (until !== undefined && until <= now) this.#probing.add(place)
    }
  }

  recovered(keyId: string, endpoint: string): void {
    if (this.#coolingKeys.delete(keyId)) this.#announce({ keyId, untilMs: 0 })
    if (this.#coolingEndpoints.delete(placeOf(keyId, endpoint))) this.#announce({ keyId, endpoint, untilMs: 0 })
    this.release(keyId, endpoint)
  }

  /** A probe ended without saying anything of the key. */
  release(keyId: string, endpoint: string): void {
    if (this.#probing.size === 0) return
    this.#probing.delete(keyId)
    this.#probing.delete(placeOf(keyId, endpoint))
  }

  /** @param endpoint for this one only */
  coolDown(keyId: string, cooldownMs: number, endpoint?: string): void {
    const cooldown = { keyId, endpoint, untilMs: this.#now() + Math.min(cooldownMs, longestCooldownMs) }
    this.#probing.delete(endpoint === undefined ? keyId : placeOf(keyId, endpoint))
    this.learn(cooldown)
    this.#announce(cooldown)
  }

  /** What another proxy announced. */
  learn({ keyId, endpoint, untilMs }: Cooldown): void {
    const [cooling, place] =
      endpoint === undefined ? [this.#coolingKeys, keyId] : [this.#coolingEndpoints, placeOf(keyId, endpoint)]
    if (untilMs > this.#now()) cooling.set(place, Math.min(untilMs, this.#now() + longestCooldownMs))
    else cooling.delete(place)
  }

  #rank(keyId: string, endpoint: string): number {
    if (this.#coolingKeys.size === 0 && this.#coolingEndpoints.size === 0) return 0
    return Math.max(this.#rankOf(keyId), this.#rankOf(placeOf(keyId, endpoint)))
  }

  #rankOf(place: string): number {
    const until = this.#untilOf(place)
    if (until === undefined) return 0
    return until <= this.#now() && !this.#probing.has(place) ? 0 : until
  }

  #untilOf(place: string): number | undefined {
    return this.#coolingKeys.get(place) ?? this.#coolingEndpoints.get(place)
  }
}

const placeOf = (keyId: string, endpoint: string) => `${keyId} ${endpoint}`
