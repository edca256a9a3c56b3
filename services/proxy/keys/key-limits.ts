import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { atMost } from '#core/limits/at-most.ts'
import { minute } from '#core/units.ts'
import type { ObservedLimits } from '#store/redis/key-states.ts'
import type { Account, ProviderKey } from '../auth/account.ts'

/** Providers' limits renew every minute, so older observations are useless. */
const freshMs = minute
const maxKeys = 50_000
const longestNumber = 32

type KeyOwner = Pick<Account, 'accountId' | 'distribution'>

interface KeyUse {
  owner: KeyOwner
  limits: ObservedLimits | undefined
  /** In this process. */
  inFlight: number
}

interface LimitChange {
  accountId: string
  keyId: string
  limits: ObservedLimits
  /** Whether other proxies need it to choose between the account's keys. */
  isSpread: boolean
}

/** Each key's remaining limits, from the provider's last response, and its number of requests in flight. */
export class KeyLimits {
  readonly #now: () => number
  readonly #keys = new LRUCache<string, KeyUse>(atMost(maxKeys))
  /** Keys observed here since the last `takeChanges`. */
  readonly #changed = new Set<string>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  began(owner: KeyOwner, keyId: string): void {
    this.#useOf(owner, keyId).inFlight += 1
  }

  ended(keyId: string): void {
    const use = this.#keys.get(keyId)
    if (use && use.inFlight > 0) use.inFlight -= 1
  }

  /** Numbers are parsed lazily, because the next response often replaces them first. */
  observe(owner: KeyOwner, keyId: string, headers: IncomingHttpHeaders): void {
    const requests = headers['x-ratelimit-remaining-requests']
    const tokens = headers['x-ratelimit-remaining-tokens']
    if (requests === undefined && tokens === undefined) return
    this.#useOf(owner, keyId).limits = {
      requests: textOf(requests),
      maxRequests: textOf(headers['x-ratelimit-limit-requests']),
      tokens: textOf(tokens),
      maxTokens: textOf(headers['x-ratelimit-limit-tokens']),
      observedAtMs: this.#now(),
    }
    this.#changed.add(keyId)
  }

  /** Applies limits observed by another proxy. */
  learn({ accountId, keyId, limits }: Omit<LimitChange, 'isSpread'>): void {
    const use = this.#useOf({ accountId, distribution: 'spread' }, keyId)
    if (!use.limits || use.limits.observedAtMs < limits.observedAtMs) use.limits = limits
  }

  /** @returns observations since the last call */
  takeChanges(): LimitChange[] {
    const changes: LimitChange[] = []
    for (const keyId of this.#changed) {
      const use = this.#keys.peek(keyId)
      if (!use?.limits) continue
      const { accountId, distribution } = use.owner
      changes.push({ accountId, keyId, limits: use.limits, isSpread: distribution === 'spread' })
    }
    this.#changed.clear()
    return changes
  }

  /** Most remaining limit first, then fewest requests in flight, then the account's order. */
  spread(keys: readonly ProviderKey[]): readonly ProviderKey[] {
    const ranked = keys.map((key) => {
      const use = this.#keys.get(key.id)
      return { key, percent: this.#percentLeft(use?.limits), inFlight: use?.inFlight ?? 0 }
    })
    ranked.sort((one, other) => other.percent - one.percent || one.inFlight - other.inFlight)
    return ranked.map(({ key }) => key)
  }

  /** In whole percent, so that almost equal keys count as equal and share the requests in flight. */
  #percentLeft(limits: ObservedLimits | undefined): number {
    // The clock may have been set back since.
    if (!limits || Math.abs(this.#now() - limits.observedAtMs) > freshMs) return 100
    return Math.min(percentOf(limits.requests, limits.maxRequests), percentOf(limits.tokens, limits.maxTokens))
  }

  #useOf(owner: KeyOwner, keyId: string): KeyUse {
    let use = this.#keys.get(keyId)
    if (use) use.owner = owner
    else this.#keys.set(keyId, (use = { owner, limits: undefined, inFlight: 0 }))
    return use
  }
}

const textOf = (value: string | string[] | undefined) =>
  typeof value === 'string' && value.length <= longestNumber ? value : undefined

/** A limit that the provider does not report counts as unused. */
function percentOf(left: string | undefined, max: string | undefined): number {
  const percent = Math.round((Number(left) / Number(max)) * 100)
  return percent >= 0 ? Math.min(percent, 100) : 100
}
