import type { Redis } from '#core/resources.ts'

/** Nano-USD. */
export interface PeriodSpending {
  spentNanoUsd: number
  /** Held back for requests that are not finished. */
  reservedNanoUsd: number
}

/** Of the current UTC day and month. */
export interface TokenSpending {
  day: PeriodSpending
  month: PeriodSpending
}

export type TokenSpendingStore = ReturnType<typeof createTokenSpendingStore>

export const createTokenSpendingStore = (redis: Redis, now: () => number = Date.now) => ({
  /** @returns by token */
  async read(accountId: string, tokenIds: readonly string[]): Promise<Map<string, TokenSpending>> {
    if (tokenIds.length === 0) return new Map()
    const today = new Date(now()).toISOString().slice(0, 10)
    const keys = tokenIds.flatMap((id) =>
      [today, today.slice(0, 7)].map((period) => `spend:{${accountId}}:${id}:${period}`),
    )
    const spent = (await redis.mget(keys)).map((value) => ({ spentNanoUsd: Number(value ?? 0), reservedNanoUsd: 0 }))
    return new Map(tokenIds.map((id, at) => [id, { day: spent[2 * at]!, month: spent[2 * at + 1]! }]))
  },
})
