import { LRUCache } from 'lru-cache'
import type { ClickHouseClient } from '#core/resources.ts'
import { second } from '#core/units.ts'
import type { Stats } from '#schemas/analytics.ts'
import { noId } from '#schemas/log-names.ts'
import { selectRow, selectRows } from './clickhouse-rows.ts'
import { countableRange, rangePieces, rowsKeptFrom } from './range-pieces.ts'

export interface Usage {
  usageCount: number
  lastUsed: string | null
}

export const unused: Usage = { usageCount: 0, lastUsed: null }

type Credential = 'api_key_id' | 'token_id'

const cachedMs = second

export type UsageStore = ReturnType<typeof createUsageStore>

/** Reads rollups, and rows at the edges of a range only: the cost does not grow with the number of requests. */
export const createUsageStore = (
  clickhouse: ClickHouseClient,
  { logRetentionDays, now = Date.now }: { logRetentionDays: number; now?: () => number },
) => {
  const usages = new LRUCache<string, Promise<Map<string, Usage>>>({ max: 10_000, ttl: cachedMs })

  async function readUsages(accountId: string, credential: Credential): Promise<Map<string, Usage>> {
    const entries = await selectRows<Usage & { id: string }>(
      clickhouse,
      `SELECT ${credential} AS id, sum(requests) AS usageCount, max(last_request_at) AS lastUsed
        FROM usage_day WHERE account_id = {accountId: UUID} GROUP BY id`,
      { accountId },
    )
    return new Map(entries.map(({ id, ...usage }) => [id, usage]))
  }

  function sumsOf(range: { from?: number; to?: number }) {
    const { from, to } = countableRange(
      range.from ?? 0,
      Math.min(range.to ?? farAway, farAway),
      rowsKeptFrom(now(), logRetentionDays),
    )
    const pieces = rangePieces(from, to).map((piece, at) => ({
      sql: piece.table === 'request_logs' ? rowSums(at) : quarterSums(at),
      params: { [`from${at}`]: piece.from, [`to${at}`]: piece.to },
    }))
    return {
      sql: pieces.map(({ sql }) => sql).join(' UNION ALL '),
      params: Object.assign({}, ...pieces.map(({ params }) => params)),
    }
  }

  return {
    /**
     * Exact to the millisecond; by quarter hours where rows are no longer kept.
     * @param range ms since 1970; default: all time
     */
    stats(accountId: string, range?: { from?: number; to?: number }): Promise<Stats> {
      const isAllTime = range?.from === undefined && range?.to === undefined
      const { sql, params } = isAllTime ? { sql: allTime, params: {} } : sumsOf(range)
      return selectRow<Stats>(
        clickhouse,
        `SELECT sum(n) AS totalRequests, sum(f) AS failed,
          if(totalRequests = 0, 0, 100 * (totalRequests - failed) / totalRequests) AS successRate,
          if(totalRequests = 0, 0, sum(t) / totalRequests) AS avgResponseTime
        FROM (${sql})`,
        { accountId, ...params },
      )
    },

    /** Forwarded requests of this UTC day and month, which count for the plan. */
    counted(accountId: string, at = new Date()): Promise<{ today: number; month: number }> {
      return selectRow(
        clickhouse,
        `SELECT sumIf(requests, bucket = {today: Date}) AS today, sum(requests) AS month FROM usage_day
          WHERE account_id = {accountId: UUID} AND bucket BETWEEN toStartOfMonth({today: Date}) AND {today: Date}
            AND api_key_id != toUUID('${noId}')`,
        { accountId, today: at.toISOString().slice(0, 10) },
      )
    },

    /** @returns by id of the used keys or tokens; cached for a second */
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

/** Later than any log, and within the range of rollups. */
const farAway = Date.UTC(2100)

const failed = 'status = 0 OR status >= 400'

const allTime = `SELECT sum(requests) AS n, sumIf(requests, ${failed}) AS f, sum(response_time_ms) AS t
  FROM usage_day WHERE account_id = {accountId: UUID}`

const rowSums = (at: number) => `SELECT sum(request_count) AS n, sumIf(request_count, ${failed}) AS f,
    sum(toUInt64(response_time_ms) * request_count) AS t
  FROM request_logs WHERE account_id = {accountId: UUID}
    AND created_at >= fromUnixTimestamp64Milli({from${at}: Int64}) AND created_at < fromUnixTimestamp64Milli({to${at}: Int64})`

/** Of whole days too: a day of `usage_series` has fewer rows than one of `usage_day` with its dimensions. */
const quarterSums = (at: number) => `SELECT sum(requests) AS n, sum(failures) AS f, sum(response_time_ms) AS t
  FROM usage_series WHERE account_id = {accountId: UUID}
    AND bucket >= toDateTime(fromUnixTimestamp64Milli({from${at}: Int64}, 'UTC'), 'UTC')
    AND bucket < toDateTime(fromUnixTimestamp64Milli({to${at}: Int64}, 'UTC'), 'UTC')`
