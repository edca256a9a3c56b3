import { dayOf, monthOf } from '#core/period.ts'
import type { Redis } from '#core/redis/redis.ts'

/** Nano-USD. */
export interface PeriodSpending {
  spentNanoUsd: number
  /** Reserved for requests that are not finished. */
  reservedNanoUsd: number
}

/** Of a UTC day and its month. */
export interface TokenSpending {
  day: PeriodSpending
  month: PeriodSpending
}

/** The keys of the spending in a day and its month, and of the hash with the reservations of each proxy. */
export function spendingKeys(accountId: string, tokenId: string, now: number) {
  const key = `{${accountId}}:${tokenId}`
  const [day, month] = [dayOf(now), monthOf(now)]
  return { reservations: `holds:${key}:${day}`, day: `spend:${key}:${day}`, month: `spend:${key}:${month}` }
}

export type TokenSpendingStore = ReturnType<typeof createTokenSpendingStore>

export const createTokenSpendingStore = (redis: Redis) => {
  async function readOne(accountId: string, tokenId: string, now: number): Promise<[string, TokenSpending]> {
    const keys = spendingKeys(accountId, tokenId, now)
    const [[day, month], reservations] = await Promise.all([
      redis.mget(keys.day, keys.month),
      redis.hvals(keys.reservations),
    ])
    const reservedNanoUsd = reservations.reduce((sum, reservation) => sum + reservedBy(reservation, now), 0)
    return [
      tokenId,
      {
        day: { spentNanoUsd: Number(day ?? 0), reservedNanoUsd },
        month: { spentNanoUsd: Number(month ?? 0), reservedNanoUsd },
      },
    ]
  }

  return {
    /** @returns by token, of the periods at a time, ms since 1970 */
    read: async (
      accountId: string,
      tokenIds: readonly string[],
      now: number = Date.now(),
    ): Promise<Map<string, TokenSpending>> =>
      new Map(await Promise.all(tokenIds.map((id) => readOne(accountId, id, now)))),
  }
}

/** @param reservation of a proxy: reserved, used, endedCost (nano-USD), expiry (ms since 1970) */
function reservedBy(reservation: string, now: number): number {
  const [reserved = 0, , , expiresAtMs = 0] = reservation.split(' ').map(Number)
  return expiresAtMs > now ? reserved : 0
}
