import { mib } from '#core/units.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { resolveRange } from '#schemas/time-range.ts'
import { selectRow } from '../clickhouse-rows.ts'
import { filterConditions, hasSearch, rowConditions } from './log-filters.ts'
import {
  forever,
  keptFrom,
  quarter,
  rangePieces,
  type RollupLevel,
  type TimeSpan,
  usageLevels,
} from '../range-pieces.ts'
import type { Piece } from '../select-pieces.ts'

/** Parts of words are searched in about this much text of the newest logs, because no index finds them. */
const longestParts = 256 * mib
const sampledRows = 1_000

export type LogTable = 'request_logs' | 'usage_series' | 'usage_quarter_hour' | 'usage_day'
export type LogPiece = Piece<LogTable>

/** Where to find the logs that match some filters. */
export interface LogMatches extends TimeSpan {
  /** Logs before this time are searched for whole words only. `undefined`: all logs are searched alike. */
  partsFrom: number | undefined
  rows: readonly LogPiece[]
  /** For counts: from rollups where the filters allow it. */
  requests: readonly LogPiece[]
  /** For counts over time, in steps of at most a quarter hour. */
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
  /** Start of the oldest day whose logs are all stored, ms since 1970. */
  const availableFrom = () => keptFrom(now(), logRetentionDays)

  function rangeOf(filters: RequestLogFilters): TimeSpan {
    const range = resolveRange(filters, now())
    return { from: Math.max(range.from ?? 0, availableFrom()), to: Math.min(range.to ?? forever, forever) }
  }

  /** Start of the bucket in which the searched text exceeds `partsBytes`, ms since 1970. */
  async function partsFromOf(accountId: string, { from, to }: TimeSpan): Promise<number> {
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
      const conditions = filterConditions(filters)
      const newer: LogPiece = { table: 'request_logs', from: partsFrom, to: range.to, conditions }
      const words = filterConditions({ ...filters, searchMode: 'words' })
      const older: LogPiece = { table: 'request_logs', from: range.from, to: partsFrom, conditions: words }
      const rows = older.from < older.to ? [newer, older] : [newer]
      const isInRollups = rowConditions(filters).sql.length === 0
      const overTime = conditions.sql.length === 0 ? 'usage_series' : 'usage_quarter_hour'
      const pieces = (levels: readonly RollupLevel<LogTable>[]) =>
        isInRollups ? rangePieces(range.from, range.to, levels).map((piece) => ({ ...piece, conditions })) : rows
      return {
        ...range,
        partsFrom: partsFrom > range.from ? partsFrom : undefined,
        rows,
        requests: pieces(usageLevels),
        overTime: pieces([{ table: overTime, step: quarter }]),
      }
    },
  }
}
