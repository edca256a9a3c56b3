import { LRUCache } from 'lru-cache'
import { atMost } from '#core/limits/at-most.ts'

const maxAccounts = 20_000

/** Values by account and key. All values of an account can be forgotten together. */
export class PerAccount<Value> {
  readonly #accounts = new LRUCache<string, Map<string, Value>>(atMost(maxAccounts))
  readonly #maxKeys: number

  /** @param maxKeys an account with more, including those of ended periods and deleted tokens, loses the oldest */
  constructor(maxKeys = 2_000) {
    this.#maxKeys = maxKeys
  }

  get(accountId: string, key: string): Value | undefined {
    return this.of(accountId)?.get(key)
  }

  of(accountId: string): ReadonlyMap<string, Value> | undefined {
    return this.#accounts.get(accountId)
  }

  set(accountId: string, key: string, value: Value): void {
    let values = this.#accounts.get(accountId)
    if (!values) this.#accounts.set(accountId, (values = new Map()))
    // The order is kept up only here, because a plain `set` costs less.
    if (values.size >= this.#maxKeys && !values.delete(key)) {
      const [oldest = key] = values.keys()
      values.delete(oldest)
    }
    values.set(key, value)
  }

  forget(accountId: string | undefined): void {
    if (accountId === undefined) this.#accounts.clear()
    else this.#accounts.delete(accountId)
  }
}
