import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import { atMost } from '#core/limits/at-most.ts'
import type { Vault } from '#shared/vault.ts'
import { SilenceTimer } from '#core/http/silence-timer.ts'
import { remember } from '#core/remember.ts'
import { second } from '#core/units.ts'
import { createPriceList, isRegional, type PriceList } from '#schemas/model-prices.ts'
import type { OwnModelPrice } from '#schemas/own-model-prices.ts'
import { basePathOf } from '#schemas/upstream-url.ts'
import { createCredentialLookUps } from '#shared/credential-look-ups.ts'
import { hashTokenText, isWellFormedToken } from '#shared/secure-token.ts'
import { apiKeyContext } from '#store/postgres/credentials/api-keys.ts'
import type { Credential, CredentialStore } from '#store/postgres/credentials/credentials.ts'
import { GatewayError } from '../request/gateway-error.ts'
import type { Account } from './account.ts'
import { createAddressList } from './token-restrictions.ts'

/** A stale entry is looked up again, but stays usable while Postgres is unavailable. */
const freshMs = 5 * second
const usableMs = 3_600 * second
const invalidMs = 5 * second

/** How long a request waits for a look-up, with a cached credential and without one. */
const cachedPatienceMs = 200
const lookUpMs = 2 * second

/**
 * Caches accounts by token hash. Invalid tokens have a separate cache, so that guesses don't evict valid ones. While
 * Postgres is unavailable, cached tokens keep working and unknown ones are rejected.
 */
export class CredentialCache {
  readonly #store: CredentialStore
  readonly #vault: Vault
  readonly #operatorPrices: readonly OwnModelPrice[]
  /** For accounts that set no prices. */
  readonly #prices: PriceList
  /** `freshUntil` is as `performance.now()`, because the clock may be set back. */
  readonly #entries = new LRUCache<string, { account: Account; freshUntil: number }>({
    ...atMost(10_000),
    ttl: usableMs,
    // The default reads the clock every millisecond.
    ttlResolution: second,
  })
  readonly #invalid = new LRUCache<string, true>({ ...atMost(10_000), ttl: invalidMs })
  readonly #hashOf = remember(hashTokenText)
  /** Of unknown tokens by client address, and of sessions. */
  readonly #lookUps = createCredentialLookUps()
  readonly #pending = new Map<string, Promise<Account | undefined>>()
  /** The number of each account's last change: a look-up that began before it may have missed it. */
  readonly #changedAt = new LRUCache<string, number>(atMost(10_000))
  #allChangedAt = 0
  #changes = 0

  constructor(store: CredentialStore, vault: Vault, operatorPrices: readonly OwnModelPrice[]) {
    this.#store = store
    this.#vault = vault
    this.#operatorPrices = operatorPrices
    this.#prices = createPriceList({ operator: operatorPrices })
  }

  /** @returns `null` for an invalid token; undefined when `find` has to look it up */
  peek(token: string): Account | null | undefined {
    const key = this.#hashOf(token)
    const entry = this.#entries.get(key)
    if (entry && entry.freshUntil >= performance.now()) return this.#usable(entry.account)
    if (!isWellFormedToken(token)) return null
    return this.#invalid.has(key) ? null : undefined
  }

  /**
   * Concurrent look-ups of a token share one query. Those of unknown tokens take turns by client address.
   * @throws GatewayError when Postgres is unavailable and the token is not cached
   */
  async find(token: string, clientAddress = ''): Promise<Account | null> {
    const key = hashTokenText(token)
    let pending = this.#pending.get(key)
    if (!pending) {
      pending = this.#load(key, clientAddress).finally(() => this.#pending.delete(key))
      this.#pending.set(key, pending)
    }
    const cached = this.#entries.get(key)?.account
    const account = await (cached
      ? pTimeout(pending, { milliseconds: cachedPatienceMs, fallback: () => cached })
      : pending)
    return account ? this.#usable(account) : null
  }

  /** Not cached, so that signing out takes effect at once. Requests of a session take turns with others'. */
  async findSession(idHash: Buffer): Promise<Account | null> {
    const lookUp = () => this.#store.findBySessionHash(idHash)
    const credential = await orUnavailable(this.#lookUps.run(idHash.toString('base64'), lookUp))
    return credential ? this.#unseal(credential) : null
  }

  /** Drops an account's entries, or makes all entries stale. Look-ups in flight are not cached either. */
  forget(accountId: string | undefined): void {
    this.#changes += 1
    this.#pending.clear()
    if (accountId === undefined) {
      this.#allChangedAt = this.#changes
      for (const entry of this.#entries.values()) entry.freshUntil = 0
      return
    }
    this.#changedAt.set(accountId, this.#changes)
    for (const [key, { account }] of this.#entries.entries()) {
      if (account.accountId === accountId) this.#entries.delete(key)
    }
  }

  async #load(key: string, clientAddress: string): Promise<Account | undefined> {
    const beganAt = this.#changes
    const tokenHash = Buffer.from(key, 'base64')
    const lookUp = () => orUnavailable(this.#store.findByTokenHash(tokenHash))
    let credential: Credential | undefined
    try {
      credential = await (this.#entries.has(key) ? lookUp() : orUnavailable(this.#lookUps.run(clientAddress, lookUp)))
    } catch (error) {
      const entry = this.#entries.get(key)
      if (!entry) throw error
      entry.freshUntil = performance.now() + freshMs
      return entry.account
    }
    if (!credential) {
      this.#entries.delete(key)
      this.#invalid.set(key, true)
      return undefined
    }
    // If Postgres is down, the next look-up records the use.
    if (credential.isPreviousSecret) this.#store.recordPreviousUse(tokenHash).catch(() => undefined)
    const account = this.#unseal(credential)
    const changedAt = Math.max(this.#allChangedAt, this.#changedAt.get(account.accountId) ?? 0)
    if (changedAt <= beganAt) this.#entries.set(key, { account, freshUntil: performance.now() + freshMs })
    return account
  }

  #usable(account: Account): Account | null {
    const isExpired = account.expiresAt !== null && account.expiresAt.getTime() <= Date.now()
    return account.isActive && !isExpired ? account : null
  }

  #unseal(credential: Credential): Account {
    const { keys: sealed, allowedAddresses, baseUrl, modelPrices: own, ...rest } = credential
    const { origin } = new URL(baseUrl)
    // A key that can't be decrypted must not hide one that was entered later.
    const keys = sealed
      .filter((key) => key.origin === origin)
      .map(({ id, sealedKey }) => ({ id, bytes: Buffer.from(sealedKey, 'hex') }))
      .filter(({ bytes }) => !this.#vault.isLost(bytes))
      .map(({ id, bytes }) => ({
        id,
        secret: this.#vault.open(bytes, apiKeyContext(credential.accountId, id, origin)),
      }))
    const addresses = allowedAddresses && createAddressList(allowedAddresses)
    const isUsual = own.length === 0 && !isRegional(origin)
    const prices = isUsual ? this.#prices : createPriceList({ own, operator: this.#operatorPrices, origin })
    return { ...rest, keys, addresses, origin, basePath: basePathOf(baseUrl), prices }
  }
}

async function orUnavailable<Found>(query: Promise<Found>): Promise<Found> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  const timer = new SilenceTimer(lookUpMs, () => reject(new Error('Postgres does not respond')))
  try {
    return await Promise.race([query, silence])
  } catch (cause) {
    throw new GatewayError('unavailable', { cause })
  } finally {
    timer.stop()
  }
}
