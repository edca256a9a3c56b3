import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { isoTime } from '#core/period.ts'
import type { LogHistogram } from '#schemas/log-histogram.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { maxSeconds, selectRow, selectRows } from '../clickhouse-rows.ts'
import { histogramSteps } from './histogram-steps.ts'
import type { FindMatches, LogTable } from './log-matches.ts'
import { quarter } from '../range-pieces.ts'
import { selectColumns } from '../select-pieces.ts'

export type LogHistogramStore = ReturnType<typeof createLogHistogramStore>

/** Requests and errors over time, for exactly the range of the filters. */
export const createLogHistogramStore = (
  clickhouse: ClickHouseClient,
  { find, now = Date.now }: { find: FindMatches; now?: () => number },
) => {
  /** Start of the first request's quarter hour, ms since 1970; 0 without requests. */
  async function firstBucket(accountId: string): Promise<number> {
    const query = `SELECT toUnixTimestamp(min(bucket)) AS seconds FROM usage_series WHERE account_id = {accountId: UUID}`
    return 1_000 * (await selectRow<{ seconds: number }>(clickhouse, query, { accountId })).seconds
  }

  return {
    /** A range without a start begins with the account's first log. */
    async read(accountId: string, filters: RequestLogFilters, timezone: string): Promise<LogHistogram> {
      const matches = await find(accountId, filters)
      const isOpen = filters.from === undefined && filters.timeRange === undefined
      const from = isOpen ? Math.max(matches.from, await firstBucket(accountId)) : matches.from
      const to = Math.max(from, Math.min(matches.to, now()))
      const { length, starts } = histogramSteps(from, to, timezone)
      const pieces = length < quarter ? matches.rows : matches.overTime
      const { sql, params } = selectColumns(accountId, pieces, columnsOf)
      const seconds = starts.map((at) => Math.floor(at / 1_000))
      const counted = await selectRows<{ start: number; requests: number; errors: number }>(
        clickhouse,
        `SELECT roundDown(second, [${seconds.join(', ')}]) AS start, sum(n) AS requests, sum(failed) AS errors
        FROM (${sql}) GROUP BY start SETTINGS max_execution_time = ${maxSeconds}`,
        params,
      )
      const countsAt = new Map(counted.map(({ start, requests, errors }) => [start, { requests, errors }]))
      return {
        from: isoTime(from),
        to: isoTime(to),
        timezone,
        steps: starts.map((at, index) => ({
          at: isoTime(at),
          ...(countsAt.get(seconds[index] ?? 0) ?? { requests: 0, errors: 0 }),
        })),
      }
    },
  }
}

function columnsOf(table: LogTable): string {
  const [time, requests] = table === 'request_logs' ? ['created_at', 'request_count'] : ['bucket', 'requests']
  const failed = table === 'usage_series' ? 'failures' : `if(status = 0 OR status >= 400, ${requests}, 0)`
  return `toUnixTimestamp(${time}) AS second, toUInt64(${requests}) AS n, toUInt64(${failed}) AS failed`
}
