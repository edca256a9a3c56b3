import pLimit, { type LimitFunction } from 'p-limit'
import type { SharedLimit } from './shared-limit.ts'

interface FairQueueOptions {
  /** Limits running and waiting tasks together. */
  limit: SharedLimit
  /** Running tasks of one account, and of all accounts. */
  perAccount: number
  atOnce: number
}

/** Runs tasks of all accounts in turn, so that one account's queue does not delay the others. */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #all: LimitFunction
  readonly #accounts = new Map<string, LimitFunction>()

  constructor(options: FairQueueOptions) {
    this.#options = options
    this.#all = pLimit(options.atOnce)
  }

  /**
   * Waits for a slot. @returns a function that releases the slot
   * @throws LimitExceededError if the limit is reached
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
