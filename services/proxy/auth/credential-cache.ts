import type { BlockList } from 'node:net'
import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import type { Vault } from '#shared/vault.ts'
import { second } from '#core/units.ts'
import { upstreamPath } from '#shared/upstream-path.ts'
import { hashTokenText, isWellFormedToken } from '#shared/secure-token.ts'
import { apiKeyContext } from '#store/postgres/api-keys.ts'
import type { Principal, PrincipalStore } from '#store/postgres/principals.ts'
import { createAddressList } from './token-restrictions.ts'

/** A provider key ready to be sent. */
export interface ProviderKey {
  id: string
  secret: string
}

/** A principal whose keys are unsealed; only keys that were entered for the base URL's origin are among them. */
export interface Caller extends Omit<Principal, 'keys' | 'allowedAddresses' | 'baseUrl'> {
  keys: ProviderKey[]
  /** Where the token may be used from; `null`: everywhere. */
  addresses: BlockList | null
  /** The base URL, taken apart: scheme with host, and path without `/v1`. */
  origin: string
  basePath: string
}

/** Nobody can be asked who this is. */
export class PrincipalsUnavailableError extends Error {
  override readonly name = 'PrincipalsUnavailableError'
}

interface Entry {
  caller: Caller
  freshUntil: number
}

/** How long an entry serves without a new look, and how long it may serve while Postgres is away. */
const freshMs = 5 * second
const usableMs = 3_600 * second
const refusedMs = 5 * second

/** Who is known waits this long for a new look, who is not until Postgres counts as away. */
const knownPatienceMs = 200
const lookUpMs = 2 * second

/**
 * Callers by token hash, bounded. Refusals have a cache of their own, so guesses can't push out real callers.
 * When the store fails, what is known goes on serving and what is not known is not let in.
 */
export class PrincipalCache {
  readonly #store: PrincipalStore
  readonly #vault: Vault
  readonly #now: () => number
  readonly #entries = new LRUCache<string, Entry>({ max: 10_000, ttl: usableMs, perf: { now: () => this.#now() } })
  readonly #refused = new LRUCache<string, true>({ max: 10_000, ttl: refusedMs, perf: { now: () => this.#now() } })
  readonly #pending = new Map<string, Promise<Caller | undefined>>()
  /** Changes are numbered: a look-up that began before one of its account may have missed it. */
  readonly #changedAt = new LRUCache<string, number>({ max: 10_000 })
  #allChangedAt = 0
  #changes = 0

  constructor(store: PrincipalStore, vault: Vault, { now = Date.now }: { now?: () => number } = {}) {
    this.#store = store
    this.#vault = vault
    this.#now = now
  }

  /** The caller if the answer is at hand. `undefined`: use `find`. `null`: refused. */
  peek(token: string): Caller | null | undefined {
    const key = hashTokenText(token)
    const entry = this.#entries.get(key)
    if (entry && entry.freshUntil >= this.#now()) return this.#usable(entry.caller)
    if (!isWellFormedToken(token)) return null
    return this.#refused.has(key) ? null : undefined
  }

  /**
   * Looks the token up; equal look-ups at once share one query.
   * @throws PrincipalsUnavailableError when the store fails and the token is not known here
   */
  async find(token: string): Promise<Caller | null> {
    const key = hashTokenText(token)
    let pending = this.#pending.get(key)
    if (!pending) {
      pending = this.#load(key).finally(() => this.#pending.delete(key))
      this.#pending.set(key, pending)
    }
    const known = this.#entries.get(key)?.caller
    const caller = await (known ? pTimeout(pending, { milliseconds: knownPatienceMs, fallback: () => known }) : pending)
    return caller ? this.#usable(caller) : null
  }

  /** Who is signed in. Looked up each time: a session that has ended must not live on here. */
  async findSession(idHash: Buffer): Promise<Caller | null> {
    const principal = await ask(this.#store.findBySessionHash(idHash))
    return principal ? this.#unseal(principal) : null
  }

  /** Drops what is held of an account, or everything. A look-up of it that is under way is not kept either. */
  forget(accountId: string | undefined): void {
    this.#changes += 1
    this.#pending.clear()
    if (accountId === undefined) {
      this.#allChangedAt = this.#changes
      for (const entry of this.#entries.values()) entry.freshUntil = 0
      return
    }
    this.#changedAt.set(accountId, this.#changes)
    for (const [key, { caller }] of this.#entries.entries()) {
      if (caller.accountId === accountId) this.#entries.delete(key)
    }
  }

  async #load(key: string): Promise<Caller | undefined> {
    const beganAt = this.#changes
    let principal: Principal | undefined
    try {
      principal = await ask(this.#store.findByTokenHash(Buffer.from(key, 'base64')))
    } catch (error) {
      const known = this.#entries.get(key)
      if (!known) throw error
      known.freshUntil = this.#now() + freshMs
      return known.caller
    }
    if (!principal) {
      this.#entries.delete(key)
      this.#refused.set(key, true)
      return undefined
    }
    const caller = this.#unseal(principal)
    const changedAt = Math.max(this.#allChangedAt, this.#changedAt.get(caller.accountId) ?? 0)
    if (changedAt <= beganAt) this.#entries.set(key, { caller, freshUntil: this.#now() + freshMs })
    return caller
  }

  #usable(caller: Caller): Caller | null {
    if (!caller.isActive) return null
    if (caller.expiresAt && caller.expiresAt.getTime() <= this.#now()) return null
    return caller
  }

  #unseal(principal: Principal): Caller {
    const { keys: sealed, allowedAddresses, baseUrl, ...rest } = principal
    const { origin } = new URL(baseUrl)
    const keys = sealed
      .filter((key) => key.origin === origin)
      .map(({ id, sealedKey }) => ({
        id,
        secret: this.#vault.open(Buffer.from(sealedKey, 'hex'), apiKeyContext(principal.accountId, id, origin)),
      }))
    const addresses = allowedAddresses && createAddressList(allowedAddresses)
    return { ...rest, keys, addresses, origin, basePath: upstreamPath(baseUrl, '') }
  }
}

/** @throws PrincipalsUnavailableError when the store fails, or does not answer at all */
async function ask<Found>(look: Promise<Found>): Promise<Found> {
  try {
    return await pTimeout(look, { milliseconds: lookUpMs, message: 'Postgres does not answer' })
  } catch (error) {
    throw new PrincipalsUnavailableError('a look-up failed', { cause: error })
  }
}
