import { day, mib } from '#core/units.ts'
import type { ClickHouseClient } from '#core/resources.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { resolveRange } from '#schemas/time-range.ts'
import { selectRow } from '../clickhouse-rows.ts'
import { hasSearch, rowConditions, sharedConditions } from './log-filters.ts'
import type { LogPiece } from './log-pieces.ts'
import { rangePieces } from '../range-pieces.ts'

/** Later than any log, and within the range of rollups. */
export const forever = Date.UTC(2100)

/** Parts of words are searched in about this much text of the newest logs. No index finds them. */
const longestParts = 256 * mib
const sampledRows = 1_000

/** Where the logs that match some filters are found. ms since 1970; `to` is exclusive. */
export interface LogMatches {
  from: number
  to: number
  /** Older logs are searched for whole words only. `undefined`: all are searched alike. */
  partsFrom: number | undefined
  rows: readonly LogPiece[]
  /** For counts: from rollups where the filters allow it. */
  requests: readonly LogPiece[]
  /** The same in steps of a quarter hour at most. */
  overTime: readonly LogPiece[]
}

const moment = (name: string) => `fromUnixTimestamp64Milli({${name}: Int64}, 'UTC')`

export type FindMatches = ReturnType<typeof createLogMatches>['find']

export interface LogMatchesOptions {
  logRetentionDays: number
  now?: () => number
  partsBytes?: number
}

export const createLogMatches = (
  clickhouse: ClickHouseClient,
  { logRetentionDays, now = Date.now, partsBytes = longestParts }: LogMatchesOptions,
) => {
  /** Start of the oldest day with all its logs, ms since 1970. */
  const availableFrom = () => Math.ceil((now() - logRetentionDays * day) / day) * day

  function rangeOf(filters: RequestLogFilters): { from: number; to: number } {
    const range = resolveRange(filters, now())
    return { from: Math.max(range.from ?? 0, availableFrom()), to: Math.min(range.to ?? forever, forever) }
  }

  /** The bucket in which the searched text becomes more than `partsBytes`, ms since 1970. */
  async function partsFromOf(accountId: string, { from, to }: { from: number; to: number }): Promise<number> {
    const { seconds } = await selectRow<{ seconds: number }>(
      clickhouse,
      `WITH (
        SELECT ifNotFinite(avg(length(search)), 1) FROM (
          SELECT search FROM request_logs WHERE account_id = {accountId: UUID}
            AND created_at >= ${moment('from')} AND created_at < ${moment('to')}
          ORDER BY created_at DESC LIMIT ${sampledRows}
        )
      ) AS bytes
      SELECT toUnixTimestamp(max(bucket)) AS seconds FROM (
        SELECT bucket, sum(n) OVER (ORDER BY bucket DESC) AS newer FROM (
          SELECT bucket, sum(series.requests) AS n FROM usage_series AS series WHERE account_id = {accountId: UUID}
            AND bucket >= toDateTime(${moment('from')}, 'UTC') AND bucket < toDateTime(${moment('to')}, 'UTC')
          GROUP BY bucket
        )
      ) WHERE newer * bytes > ${partsBytes}`,
      { accountId, from, to },
    )
    return Math.max(from, seconds * 1_000)
  }

  return {
    availableFrom,

    async find(accountId: string, filters: RequestLogFilters): Promise<LogMatches> {
      const range = rangeOf(filters)
      const isParts = hasSearch(filters) && filters.searchMode === 'parts'
      const partsFrom = isParts ? await partsFromOf(accountId, range) : range.from
      const newer: LogPiece = { table: 'request_logs', from: partsFrom, to: range.to, filters }
      const words: RequestLogFilters = { ...filters, searchMode: 'words' }
      const older: LogPiece = { table: 'request_logs', from: range.from, to: partsFrom, filters: words }
      const rows = older.from < older.to ? [newer, older] : [newer]
      const isInRollups = rowConditions(filters).sql.length === 0
      const series = sharedConditions(filters).sql.length === 0 ? 'usage_series' : 'usage_quarter_hour'
      const pieces = (coarsest: 'usage_day' | 'usage_quarter_hour') =>
        isInRollups ? rangePieces(range.from, range.to, coarsest).map((piece) => ({ ...piece, filters })) : rows
      return {
        ...range,
        partsFrom: partsFrom > range.from ? partsFrom : undefined,
        rows,
        requests: pieces('usage_day'),
        overTime: pieces('usage_quarter_hour').map((piece) =>
          piece.table === 'usage_quarter_hour' ? { ...piece, table: series } : piece,
        ),
      }
    },
  }
}
