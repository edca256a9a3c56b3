import { LRUCache } from 'lru-cache'
import type { ProviderKey } from './principal-cache.ts'

/** Rests longer than this are cut: a provider that says "tomorrow" may be asked again sooner. */
const longestRestMs = 10 * 60_000

/** Tells the other proxies that a key rests. */
export type AnnounceRest = (keyId: string, untilMs: number) => void

/**
 * Which keys rest. A key that failed is left alone for a while; when that is over, one request tries it (half open)
 * and the rest of them wait for how that goes.
 */
export class KeyHealth {
  readonly #announce: AnnounceRest
  readonly #now: () => number
  readonly #restingUntil = new LRUCache<string, number>({ max: 50_000 })
  readonly #probing = new Set<string>()

  constructor(announce: AnnounceRest, { now = Date.now }: { now?: () => number } = {}) {
    this.#announce = announce
    this.#now = now
  }

  /** How many keys rest. */
  get resting(): number {
    const now = this.#now()
    return [...this.#restingUntil.values()].filter((until) => until > now).length
  }

  /** Keys in the order in which they are to be tried: those that work, then those that rest, soonest back first. */
  order(keys: readonly ProviderKey[]): readonly ProviderKey[] {
    if (keys.length < 2 || keys.every((key) => this.#restingUntil.get(key.id) === undefined)) return keys
    return keys.toSorted((one, other) => this.#rank(one.id) - this.#rank(other.id))
  }

  /** Call it when a key is about to be used. */
  use(keyId: string): void {
    const until = this.#restingUntil.get(keyId)
    if (until !== undefined && until <= this.#now()) this.#probing.add(keyId)
  }

  recovered(keyId: string): void {
    if (!this.#restingUntil.delete(keyId)) return
    this.#probing.delete(keyId)
    this.#announce(keyId, 0)
  }

  /** A probe ended without saying anything of the key. */
  release(keyId: string): void {
    this.#probing.delete(keyId)
  }

  rest(keyId: string, restMs: number): void {
    const until = this.#now() + Math.min(restMs, longestRestMs)
    this.#probing.delete(keyId)
    this.#restingUntil.set(keyId, until)
    this.#announce(keyId, until)
  }

  /** What another proxy announced. */
  learn(keyId: string, untilMs: number): void {
    if (untilMs > this.#now()) this.#restingUntil.set(keyId, Math.min(untilMs, this.#now() + longestRestMs))
    else this.#restingUntil.delete(keyId)
  }

  #rank(keyId: string): number {
    const until = this.#restingUntil.get(keyId)
    if (until === undefined) return 0
    return until <= this.#now() && !this.#probing.has(keyId) ? 0 : until
  }
}
