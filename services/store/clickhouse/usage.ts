import { LRUCache } from 'lru-cache'
import type { ClickHouseClient } from '#core/resources.ts'
import { second } from '#core/units.ts'
import type { Stats } from '#schemas/analytics.ts'
import { noId } from '#schemas/log-names.ts'
import { selectRow, selectRows } from './clickhouse-rows.ts'

export interface Usage {
  usageCount: number
  lastUsed: string | null
}

export const unused: Usage = { usageCount: 0, lastUsed: null }

type Credential = 'api_key_id' | 'token_id'

const cachedMs = second

export type UsageStore = ReturnType<typeof createUsageStore>

/** Reads rollups only, so that the cost does not grow with the number of requests. */
export const createUsageStore = (clickhouse: ClickHouseClient) => {
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

  return {
    /** @param range ms since 1970, widened to whole quarter hours; default: all time */
    stats(accountId: string, range?: { from?: number; to?: number }): Promise<Stats> {
      const isAllTime = range?.from === undefined && range?.to === undefined
      const [table, failures] = isAllTime
        ? ['usage_day', 'sumIf(requests, status = 0 OR status >= 400)']
        : ['usage_series', 'sum(failures)']
      return selectRow<Stats>(
        clickhouse,
        `SELECT sum(requests) AS totalRequests, ${failures} AS failed,
          if(totalRequests = 0, 0, 100 * (totalRequests - failed) / totalRequests) AS successRate,
          if(totalRequests = 0, 0, sum(response_time_ms) / totalRequests) AS avgResponseTime
        FROM ${table} WHERE account_id = {accountId: UUID} ${isAllTime ? '' : inRange}`,
        { accountId, from: Math.floor((range?.from ?? 0) / second), to: Math.ceil((range?.to ?? farAway) / second) },
      )
    },

    /** Forwarded requests of this UTC day and month, which count for the plan. */
    counted(accountId: string, now = new Date()): Promise<{ today: number; month: number }> {
      return selectRow(
        clickhouse,
        `SELECT sumIf(requests, bucket = {today: Date}) AS today, sum(requests) AS month FROM usage_day
          WHERE account_id = {accountId: UUID} AND bucket BETWEEN toStartOfMonth({today: Date}) AND {today: Date}
            AND api_key_id != toUUID('${noId}')`,
        { accountId, today: now.toISOString().slice(0, 10) },
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

const farAway = Date.UTC(2100)

const inRange = `AND bucket >= toStartOfFifteenMinutes(toDateTime({from: Int64}, 'UTC')) AND bucket < toDateTime({to: Int64}, 'UTC')`
