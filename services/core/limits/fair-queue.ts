import pLimit, { type LimitFunction } from 'p-limit'
import type { SharedLimit } from './shared-limit.ts'

interface FairQueueOptions {
  /** Those that are in and those that wait. */
  limit: SharedLimit
  /** How many of one account, and how many in all, are in at once. */
  perAccount: number
  atOnce: number
}

/**
 * Lets so many in at once, accounts in turn: however much of one account waits, what comes of another waits only for
 * what is in.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #all: LimitFunction
  readonly #accounts = new Map<string, LimitFunction>()

  constructor(options: FairQueueOptions) {
    this.#options = options
    this.#all = pLimit(options.atOnce)
  }

  /**
   * @returns how to leave, once it is in
   * @throws TooMuchAtOnceError when too much waits already
   */
  async enter(accountId: string): Promise<() => void> {
    const { limit, perAccount } = this.#options
    limit.take(accountId)
    const account = this.#accounts.get(accountId) ?? pLimit(perAccount)
    this.#accounts.set(accountId, account)
    const entered = Promise.withResolvers<() => void>()
    const stay = () => {
      const left = Promise.withResolvers<void>()
      entered.resolve(left.resolve)
      return left.promise
    }
    void account(() => this.#all(stay)).finally(() => {
      limit.release(accountId)
      if (account.activeCount + account.pendingCount === 0) this.#accounts.delete(accountId)
    })
    return entered.promise
  }

  async run<Result>(accountId: string, task: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter(accountId)
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
