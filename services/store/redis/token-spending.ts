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

export const createTokenSpendingStore = (redis: Redis, now: () => number = Date.now) => {
  async function readOne(accountId: string, tokenId: string): Promise<[string, TokenSpending]> {
    const today = new Date(now()).toISOString().slice(0, 10)
    const key = `{${accountId}}:${tokenId}`
    const [[day, month], holds] = await Promise.all([
      redis.mget(`spend:${key}:${today}`, `spend:${key}:${today.slice(0, 7)}`),
      redis.hvals(`holds:${key}:${today}`),
    ])
    const reservedNanoUsd = holds.reduce((sum, hold) => sum + heldBy(hold, now()), 0)
    return [
      tokenId,
      {
        day: { spentNanoUsd: Number(day ?? 0), reservedNanoUsd },
        month: { spentNanoUsd: Number(month ?? 0), reservedNanoUsd },
      },
    ]
  }

  return {
    /** @returns by token */
    read: async (accountId: string, tokenIds: readonly string[]): Promise<Map<string, TokenSpending>> =>
      new Map(await Promise.all(tokenIds.map((id) => readOne(accountId, id)))),
  }
}

/** @param hold of a proxy: held, used, settled (nano-USD), expiry (ms since 1970) */
function heldBy(hold: string, now: number): number {
  const [held = 0, , , expiresAtMs = 0] = hold.split(' ').map(Number)
  return expiresAtMs > now ? held : 0
}
