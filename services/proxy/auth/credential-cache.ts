import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import type { Vault } from '#shared/vault.ts'
import { second } from '#core/units.ts'
import { upstreamPath } from '#shared/upstream-path.ts'
import { hashTokenText, isWellFormedToken } from '#shared/secure-token.ts'
import { apiKeyContext } from '#store/postgres/api-keys.ts'
import type { Credential, CredentialStore } from '#store/postgres/credentials.ts'
import type { Account } from './account.ts'
import { createAddressList } from './token-restrictions.ts'

/** A credential is not known here, and Postgres does not respond. */
export class CredentialsUnavailableError extends Error {
  override readonly name = 'CredentialsUnavailableError'
}

interface Entry {
  account: Account
  freshUntil: number
}

/** How long an entry serves without a new look-up, and how long it may serve while Postgres is away. */
const freshMs = 5 * second
const usableMs = 3_600 * second
const invalidMs = 5 * second

/** How long a known credential waits for a new look-up, and an unknown one until Postgres counts as away. */
const knownPatienceMs = 200
const lookUpMs = 2 * second

/**
 * Accounts by token hash, bounded. Invalid tokens have a cache of their own, so guesses can't push out real ones.
 * While the store fails, known tokens go on working and unknown ones are not let in.
 */
export class CredentialCache {
  readonly #store: CredentialStore
  readonly #vault: Vault
  readonly #now: () => number
  readonly #entries = new LRUCache<string, Entry>({ max: 10_000, ttl: usableMs, perf: { now: () => this.#now() } })
  readonly #invalid = new LRUCache<string, true>({ max: 10_000, ttl: invalidMs, perf: { now: () => this.#now() } })
  readonly #pending = new Map<string, Promise<Account | undefined>>()
  /** Changes are numbered: a look-up that began before one of its account may have missed it. */
  readonly #changedAt = new LRUCache<string, number>({ max: 10_000 })
  #allChangedAt = 0
  #changes = 0

  constructor(store: CredentialStore, vault: Vault, { now = Date.now }: { now?: () => number } = {}) {
    this.#store = store
    this.#vault = vault
    this.#now = now
  }

  /** The account if it is at hand. `undefined`: use `find`. `null`: the token is invalid. */
  peek(token: string): Account | null | undefined {
    const key = hashTokenText(token)
    const entry = this.#entries.get(key)
    if (entry && entry.freshUntil >= this.#now()) return this.#usable(entry.account)
    if (!isWellFormedToken(token)) return null
    return this.#invalid.has(key) ? null : undefined
  }

  /**
   * Looks the token up; equal look-ups at once share one query.
   * @throws CredentialsUnavailableError when the store fails and the token is not known here
   */
  async find(token: string): Promise<Account | null> {
    const key = hashTokenText(token)
    let pending = this.#pending.get(key)
    if (!pending) {
      pending = this.#load(key).finally(() => this.#pending.delete(key))
      this.#pending.set(key, pending)
    }
    const known = this.#entries.get(key)?.account
    const account = await (known
      ? pTimeout(pending, { milliseconds: knownPatienceMs, fallback: () => known })
      : pending)
    return account ? this.#usable(account) : null
  }

  /** The account of a session. Looked up each time: a session that has ended must not live on here. */
  async findSession(idHash: Buffer): Promise<Account | null> {
    const credential = await ask(this.#store.findBySessionHash(idHash))
    return credential ? this.#unseal(credential) : null
  }

  /** Drops the entries of an account, or all. A look-up that is under way is not kept either. */
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

  async #load(key: string): Promise<Account | undefined> {
    const beganAt = this.#changes
    let credential: Credential | undefined
    try {
      credential = await ask(this.#store.findByTokenHash(Buffer.from(key, 'base64')))
    } catch (error) {
      const known = this.#entries.get(key)
      if (!known) throw error
      known.freshUntil = this.#now() + freshMs
      return known.account
    }
    if (!credential) {
      this.#entries.delete(key)
      this.#invalid.set(key, true)
      return undefined
    }
    const account = this.#unseal(credential)
    const changedAt = Math.max(this.#allChangedAt, this.#changedAt.get(account.accountId) ?? 0)
    if (changedAt <= beganAt) this.#entries.set(key, { account, freshUntil: this.#now() + freshMs })
    return account
  }

  #usable(account: Account): Account | null {
    if (!account.isActive) return null
    if (account.expiresAt && account.expiresAt.getTime() <= this.#now()) return null
    return account
  }

  #unseal(credential: Credential): Account {
    const { keys: sealed, allowedAddresses, baseUrl, ...rest } = credential
    const { origin } = new URL(baseUrl)
    const keys = sealed
      .filter((key) => key.origin === origin)
      .map(({ id, sealedKey }) => ({
        id,
        secret: this.#vault.open(Buffer.from(sealedKey, 'hex'), apiKeyContext(credential.accountId, id, origin)),
      }))
    const addresses = allowedAddresses && createAddressList(allowedAddresses)
    return { ...rest, keys, addresses, origin, basePath: upstreamPath(baseUrl, '') }
  }
}

/** @throws CredentialsUnavailableError when the store fails, or does not respond */
async function ask<Found>(look: Promise<Found>): Promise<Found> {
  try {
    return await pTimeout(look, { milliseconds: lookUpMs, message: 'Postgres does not respond' })
  } catch (error) {
    throw new CredentialsUnavailableError('a look-up failed', { cause: error })
  }
}
