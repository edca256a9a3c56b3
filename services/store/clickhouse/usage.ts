import { LRUCache } from 'lru-cache'
import { atMost } from '#core/limits/at-most.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { dayOf } from '#core/period.ts'
import { day, second } from '#core/units.ts'
import type { Stats } from '#schemas/analytics.ts'
import { noId } from '#schemas/log-names.ts'
import { noConditions } from './logs/log-filters.ts'
import { selectRow, selectRows } from './clickhouse-rows.ts'
import { countableRange, forever, keptFrom, quarter, rangePieces } from './range-pieces.ts'
import { selectColumns } from './select-pieces.ts'
import { sumsIn } from './usage-sums.ts'

export interface Usage {
  usageCount: number
  lastUsed: string | null
}

export const unused: Usage = { usageCount: 0, lastUsed: null }

interface PlanUsage {
  today: number
  month: number
}

type Credential = 'api_key_id' | 'token_id'

const cachedMs = second

export type UsageStore = ReturnType<typeof createUsageStore>

/** Reads rollups, and rows only at the edges of a range, so the cost does not grow with the number of requests. */
export const createUsageStore = (
  clickhouse: ClickHouseClient,
  { logRetentionDays, now = Date.now }: { logRetentionDays: number; now?: () => number },
) => {
  const counting = new Map<string, Promise<PlanUsage>>()
  const usages = new LRUCache<string, Promise<Map<string, Usage>>>({ ...atMost(10_000), ttl: cachedMs })

  async function readUsages(accountId: string, credential: Credential): Promise<Map<string, Usage>> {
    const entries = await selectRows<Usage & { id: string }>(
      clickhouse,
      `SELECT ${credential} AS id, sum(requests) AS usageCount, max(last_request_at) AS lastUsed
        FROM usage_day WHERE account_id = {accountId: UUID} GROUP BY id`,
      { accountId },
    )
    return new Map(entries.map(({ id, ...usage }) => [id, usage]))
  }

  const readCounted = (accountId: string) =>
    selectRow<PlanUsage>(
      clickhouse,
      `SELECT sumIf(requests, bucket = {today: Date}) AS today, sum(requests) AS month FROM usage_day
        WHERE account_id = {accountId: UUID} AND bucket BETWEEN toStartOfMonth({today: Date}) AND {today: Date}
          AND api_key_id != toUUID('${noId}')`,
      { accountId, today: dayOf(now()) },
    )

  return {
    /**
     * Exact to the millisecond, or to the quarter hour where rows are no longer kept.
     * @param range ms since 1970; default: all time
     */
    stats(accountId: string, range?: { from?: number; to?: number }): Promise<Stats> {
      const isAllTime = range?.from === undefined && range?.to === undefined
      const rowsFrom = keptFrom(now(), logRetentionDays)
      const { from, to } = countableRange(range?.from ?? 0, Math.min(range?.to ?? forever, forever), rowsFrom)
      // Per day, `usage_series` has fewer rows than `usage_day` with its dimensions.
      const levels = isAllTime ? [{ table: 'usage_day', step: day }] : [{ table: 'usage_series', step: quarter }]
      const pieces = rangePieces(from, to, levels).map((piece) => ({ ...piece, conditions: noConditions }))
      const { sql } = selectColumns(accountId, pieces, sumsIn)
      return selectRow<Stats>(
        clickhouse,
        `SELECT sum(piece.requests) AS totalRequests, sum(failures) AS failed,
          if(totalRequests = 0, 0, 100 * (totalRequests - failed) / totalRequests) AS successRate,
          if(totalRequests = 0, 0, sum(responseTimeMs) / totalRequests) AS avgResponseTime
        FROM (${sql}) AS piece`,
      )
    },

    /** Forwarded requests of this UTC day and month, which count towards the plan. Concurrent calls share one query. */
    counted(accountId: string): Promise<PlanUsage> {
      const reading = counting.get(accountId) ?? readCounted(accountId).finally(() => counting.delete(accountId))
      counting.set(accountId, reading)
      return reading
    },

    /** @returns usage by id of the keys or tokens that were used; cached for a second */
    byCredential(accountId: string, credential: Credential): Promise<Map<string, Usage>> {
      const cacheKey = `${credential} ${accountId}`
      const cached = usages.get(cacheKey)
      if (cached) return cached
      const reading = readUsages(accountId, credential)
      usages.set(cacheKey, reading)
      reading.catch(() => usages.delete(cacheKey))
      return reading
    },
  }
}
