import { dayOf, monthOf } from '#core/period.ts'
import { day as dayMs } from '#core/units.ts'
import type { Redis } from '#core/redis/redis.ts'

export interface PeriodSpending {
  spentNanoUsd: number
  /** Reserved for unfinished requests. */
  reservedNanoUsd: number
}

/** Of a UTC day and its month. */
export interface TokenSpending {
  day: PeriodSpending
  month: PeriodSpending
}

/**
 * Redis keys of the spending in a day and its month, and of the hashes with each proxy's reservations: of that day, and
 * of the adjacent days in the same month, because requests under way at midnight have reserved money of the month, too.
 */
export function spendingKeys(accountId: string, tokenId: string, now: number) {
  const key = `{${accountId}}:${tokenId}`
  const [day, month] = [dayOf(now), monthOf(now)]
  const reservationsOn = (date: string) => `holds:${key}:${date}`
  return {
    reservations: reservationsOn(day),
    neighbours: [now - dayMs, now + dayMs].filter((at) => monthOf(at) === month).map((at) => reservationsOn(dayOf(at))),
    day: `spend:${key}:${day}`,
    month: `spend:${key}:${month}`,
  }
}

export type TokenSpendingStore = ReturnType<typeof createTokenSpendingStore>

export const createTokenSpendingStore = (redis: Redis) => {
  const readReserved = async (key: string, now: number) =>
    sumOf((await redis.hvals(key)).map((reservation) => reservedBy(reservation, now)))

  async function readOne(accountId: string, tokenId: string, now: number): Promise<[string, TokenSpending]> {
    const keys = spendingKeys(accountId, tokenId, now)
    const [[day, month], ...reserved] = await Promise.all([
      redis.mget(keys.day, keys.month),
      ...[keys.reservations, ...keys.neighbours].map((key) => readReserved(key, now)),
    ])
    const [reservedInDay = 0] = reserved
    return [
      tokenId,
      {
        day: { spentNanoUsd: Number(day ?? 0), reservedNanoUsd: reservedInDay },
        month: { spentNanoUsd: Number(month ?? 0), reservedNanoUsd: sumOf(reserved) },
      },
    ]
  }

  return {
    /** @returns by token, for the day and month of `now`, ms since 1970 */
    read: async (
      accountId: string,
      tokenIds: readonly string[],
      now: number = Date.now(),
    ): Promise<Map<string, TokenSpending>> =>
      new Map(await Promise.all(tokenIds.map((id) => readOne(accountId, id, now)))),
  }
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

/** @param reservation of a proxy: reserved, used, endedCost (nano-USD), expiry (ms since 1970) */
function reservedBy(reservation: string, now: number): number {
  const [reserved = 0, , , expiresAtMs = 0] = reservation.split(' ').map(Number)
  return expiresAtMs > now ? reserved : 0
}
