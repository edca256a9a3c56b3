import { LRUCache } from 'lru-cache'
import type { ProviderKey } from '../auth/account.ts'

/** Rests longer than this are cut: a provider that says "tomorrow" may be asked again sooner. */
const longestRestMs = 10 * 60_000

/** What rests: a key for everything, or for one endpoint. */
export interface Rest {
  keyId: string
  endpoint?: string | undefined
  /** ms since 1970; in the past: it does not rest any more. */
  untilMs: number
}

/**
 * Which keys rest. A key that failed is left alone for a while, for everything or for the endpoint that refused it; when
 * that is over, one request tries it (half open) and the rest of them wait for how that goes.
 */
export class KeyHealth {
  readonly #announce: (rest: Rest) => void
  readonly #now: () => number
  readonly #restingKeys = new LRUCache<string, number>({ max: 50_000 })
  /** Apart, because clients name endpoints: they must not push out keys. */
  readonly #restingEndpoints = new LRUCache<string, number>({ max: 5_000 })
  readonly #probing = new Set<string>()

  /** @param announce tells the other proxies */
  constructor(announce: (rest: Rest) => void, { now = Date.now }: { now?: () => number } = {}) {
    this.#announce = announce
    this.#now = now
  }

  /** How many keys rest, for everything. */
  get resting(): number {
    const now = this.#now()
    return [...this.#restingKeys.values()].filter((until) => until > now).length
  }

  /** Keys in the order in which they are to be tried: those that work, then those that rest, soonest back first. */
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
    if (this.#restingKeys.delete(keyId)) this.#announce({ keyId, untilMs: 0 })
    if (this.#restingEndpoints.delete(placeOf(keyId, endpoint))) this.#announce({ keyId, endpoint, untilMs: 0 })
    this.release(keyId, endpoint)
  }

  /** A probe ended without saying anything of the key. */
  release(keyId: string, endpoint: string): void {
    if (this.#probing.size === 0) return
    this.#probing.delete(keyId)
    this.#probing.delete(placeOf(keyId, endpoint))
  }

  /** @param endpoint for this one only */
  rest(keyId: string, restMs: number, endpoint?: string): void {
    const rest = { keyId, endpoint, untilMs: this.#now() + Math.min(restMs, longestRestMs) }
    this.#probing.delete(endpoint === undefined ? keyId : placeOf(keyId, endpoint))
    this.learn(rest)
    this.#announce(rest)
  }

  /** What another proxy announced. */
  learn({ keyId, endpoint, untilMs }: Rest): void {
    const [resting, place] =
      endpoint === undefined ? [this.#restingKeys, keyId] : [this.#restingEndpoints, placeOf(keyId, endpoint)]
    if (untilMs > this.#now()) resting.set(place, Math.min(untilMs, this.#now() + longestRestMs))
    else resting.delete(place)
  }

  #rank(keyId: string, endpoint: string): number {
    if (this.#restingKeys.size === 0 && this.#restingEndpoints.size === 0) return 0
    return Math.max(this.#rankOf(keyId), this.#rankOf(placeOf(keyId, endpoint)))
  }

  #rankOf(place: string): number {
    const until = this.#untilOf(place)
    if (until === undefined) return 0
    return until <= this.#now() && !this.#probing.has(place) ? 0 : until
  }

  #untilOf(place: string): number | undefined {
    return this.#restingKeys.get(place) ?? this.#restingEndpoints.get(place)
  }
}

const placeOf = (keyId: string, endpoint: string) => `${keyId} ${endpoint}`
