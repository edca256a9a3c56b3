/** How much of a resource one account and one process may use at once. */
export interface LimitPair {
  account: number
  process: number
}

export type LimitScope = keyof LimitPair

/** A limit on concurrent use is reached, usually for a short time. */
export class LimitExceededError extends Error {
  override readonly name = 'LimitExceededError'
  readonly scope: LimitScope

  constructor(scope: LimitScope) {
    super(`the ${scope} has too much in progress`)
    this.scope = scope
  }
}

/**
 * A resource that all accounts of a process share. An account never gets more than half of what is left, so something
 * is left for the next one, however many accounts take all they can.
 */
export class SharedLimit {
  readonly limits: LimitPair
  readonly #usedBy = new Map<string, number>()
  readonly #rejected: LimitPair = { account: 0, process: 0 }
  #used = 0

  constructor(limits: LimitPair) {
    this.limits = limits
  }

  get used(): number {
    return this.#used
  }

  get rejected(): Readonly<LimitPair> {
    return this.#rejected
  }

  /** @returns the scope whose limit was reached; undefined if the amount is granted */
  acquire(accountId: string, amount = 1): LimitScope | undefined {
    const used = (this.#usedBy.get(accountId) ?? 0) + amount
    const exhausted = this.#exhausted(used)
    if (exhausted) {
      this.#rejected[exhausted] += 1
      return exhausted
    }
    this.#usedBy.set(accountId, used)
    this.#used += amount
    return undefined
  }

  /** Like `acquire`. @throws LimitExceededError */
  take(accountId: string, amount = 1): void {
    const exhausted = this.acquire(accountId, amount)
    if (exhausted) throw new LimitExceededError(exhausted)
  }

  release(accountId: string, amount = 1): void {
    const used = (this.#usedBy.get(accountId) ?? 0) - amount
    if (used > 0) this.#usedBy.set(accountId, used)
    else this.#usedBy.delete(accountId)
    this.#used -= amount
  }

  #exhausted(used: number): LimitScope | undefined {
    if (used > this.limits.account) return 'account'
    return used > Math.ceil((this.limits.process - this.#used) / 2) ? 'process' : undefined
  }
}
