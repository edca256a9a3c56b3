import type { ClickHouseClient } from '#core/resources.ts'
import type { Stats } from '#schemas/analytics.ts'

/** How often something was used, and when last. */
export interface Usage {
  usageCount: number
  lastUsed: string | null
}

export const unused: Usage = { usageCount: 0, lastUsed: null }

export type UsageStore = ReturnType<typeof createUsageStore>

/** Reads rollups only: no call here grows with the number of requests. */
export const createUsageStore = (clickhouse: ClickHouseClient) => ({
  async stats(accountId: string): Promise<Stats> {
    const rows = await clickhouse.query({
      query: `SELECT sum(requests) AS totalRequests,
          if(totalRequests = 0, 0, 100 * sumIf(requests, status BETWEEN 1 AND 399) / totalRequests) AS successRate,
          if(totalRequests = 0, 0, sum(response_time_ms) / totalRequests) AS avgResponseTime
        FROM usage_day WHERE account_id = {accountId: UUID}`,
      query_params: { accountId },
      format: 'JSONEachRow',
    })
    const [stats] = await rows.json<Stats>()
    return stats!
  },

  /** Requests of this UTC day and month that were forwarded: those count for the plan. */
  async counted(accountId: string, now = new Date()): Promise<{ today: number; month: number }> {
    const today = now.toISOString().slice(0, 10)
    const rows = await clickhouse.query({
      query: `SELECT sumIf(requests, bucket = {today: Date}) AS today, sum(requests) AS month
        FROM usage_day
        WHERE account_id = {accountId: UUID} AND bucket BETWEEN toStartOfMonth({today: Date}) AND {today: Date}
          AND api_key_id != toUUID('00000000-0000-0000-0000-000000000000')`,
      query_params: { accountId, today },
      format: 'JSONEachRow',
    })
    const [counted] = await rows.json<{ today: number; month: number }>()
    return counted!
  },

  /** @returns by id of the key or token; what was never used is not in it */
  async byCredential(accountId: string, credential: 'api_key_id' | 'token_id'): Promise<Map<string, Usage>> {
    const rows = await clickhouse.query({
      query: `SELECT ${credential} AS id, sum(requests) AS usageCount,
          max(last_request_at) AS lastUsed
        FROM usage_day WHERE account_id = {accountId: UUID} GROUP BY id`,
      query_params: { accountId },
      format: 'JSONEachRow',
    })
    const entries = await rows.json<Usage & { id: string }>()
    return new Map(entries.map(({ id, ...usage }) => [id, usage]))
  },
})
