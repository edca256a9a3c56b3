import { LRUCache } from 'lru-cache'

/** How many accounts are kept. */
const maxAccounts = 20_000
/** Keys of one account, such as those of ended periods and deleted tokens, before it is forgotten. */
const maxKeys = 2_000

/** Values of accounts by key; those of an account can be forgotten together. */
export class PerAccount<Value> {
  readonly #accounts = new LRUCache<string, Map<string, Value>>({ max: maxAccounts })

  get(accountId: string, key: string): Value | undefined {
    return this.#accounts.get(accountId)?.get(key)
  }

  set(accountId: string, key: string, value: Value): void {
    let values = this.#accounts.get(accountId)
    if (!values || values.size >= maxKeys) this.#accounts.set(accountId, (values = new Map()))
    values.set(key, value)
  }

  forget(accountId: string | undefined): void {
    if (accountId === undefined) this.#accounts.clear()
    else this.#accounts.delete(accountId)
  }
}
