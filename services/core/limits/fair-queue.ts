import pLimit, { type LimitFunction } from 'p-limit'
import type { SharedLimit } from './shared-limit.ts'

interface FairQueueOptions {
  /** Limits running and waiting tasks together. */
  limit?: SharedLimit
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

  /** Runs a task when its turn comes. @throws LimitExceededError if the limit is reached */
  async run<Result>(accountId: string, task: () => Promise<Result>): Promise<Result> {
    const { limit, perAccount } = this.#options
    limit?.take(accountId)
    const account = this.#accounts.get(accountId) ?? pLimit(perAccount)
    this.#accounts.set(accountId, account)
    try {
      return await account(() => this.#all(task))
    } finally {
      limit?.release(accountId)
      if (account.activeCount + account.pendingCount === 0) this.#accounts.delete(accountId)
    }
  }
}
