import { minute } from '#core/units.ts'
import type { AnalyticsStep } from '#schemas/analytics.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { noId } from '#schemas/log-names.ts'
import { filterConditions, rowConditions } from '../logs/log-filters.ts'
import { quarter, rangePieces, type RollupLevel, type TimeSpan } from '../range-pieces.ts'
import type { Piece } from '../select-pieces.ts'
import { momentLiteral, timeLiteral, timezoneLiteral } from '../sql-literals.ts'

/** An account's requests in a range: all, or those that match the filters. Times in ms since 1970. */
export interface Source extends TimeSpan {
  accountId: string
  /** Start of the previous range, which has the same length, or `from` if that is no longer stored as a whole. */
  previousFrom: number
  /** The same for what only rows have. */
  previousRowsFrom: number
  /** Older rows have expired, but some are deleted only days later. */
  rowsFrom: number
  timezone: string
  filters: RequestLogFilters
  /** True to read minute rollups, which serve short and recent ranges. */
  isFine: boolean
  /** True to read only rows, because rollups lack a filter or the group. */
  readsRows: boolean
}

/** True if a filter uses a column that only rows have. */
export const needsRows = ({ filters }: Pick<Source, 'filters'>): boolean => rowConditions(filters).sql.length > 0

export const hasFilters = ({ filters }: Source): boolean => filterConditions(filters).sql.length > 0

/** The rollup level that keeps the time of day. */
export const timedLevel = <Kind extends string>(kind: Kind, isFine: boolean) =>
  isFine
    ? [{ table: `${kind}_minute`, step: minute } as const]
    : [{ table: `${kind}_quarter_hour`, step: quarter } as const]

/** @param levels from coarse to fine; empty to read rows only */
export function piecesOf<Table extends string>(
  { from, to, filters, rowsFrom }: Source,
  levels: readonly RollupLevel<Table>[],
): Piece<Table | 'request_logs'>[] {
  const conditions = filterConditions(filters)
  return rangePieces(from, to, levels).map((piece) => {
    const start = piece.table === 'request_logs' ? Math.max(piece.from, rowsFrom) : piece.from
    return { ...piece, from: start, conditions }
  })
}

/** The pieces of a range and of the previous range, which `isPreviousIn` tells apart. */
export const comparedPieces = <Table extends string>(
  source: Source,
  levels: readonly RollupLevel<Table>[],
  previousLevels = levels,
) => [
  ...piecesOf({ ...source, from: source.previousFrom, to: source.from }, previousLevels),
  ...piecesOf(source, levels),
]

/** SQL for whether a row or bucket of a table is of the previous range. */
export const isPreviousIn = (table: string, { from }: Source): string =>
  table === 'request_logs' ? `created_at < ${momentLiteral(from)}` : `bucket < ${timeLiteral(from)}`

const intervals: Record<AnalyticsStep, string> = {
  '1m': 'INTERVAL 1 MINUTE',
  '5m': 'INTERVAL 5 MINUTE',
  '15m': 'INTERVAL 15 MINUTE',
  '1h': 'INTERVAL 1 HOUR',
  '6h': 'INTERVAL 6 HOUR',
  '1d': 'INTERVAL 1 DAY',
}

/** Start of the step, seconds since 1970. */
export const stepOf = ({ timezone }: Source, step: AnalyticsStep, bucket = 'bucket'): string =>
  `toUnixTimestamp(toStartOfInterval(${bucket}, ${intervals[step]}, ${timezoneLiteral(timezone)}))`

/** SQL for the time of a row or bucket of a table, in one type for all tables. */
export const bucketOf = (table: string): string =>
  `toDateTime(${table === 'request_logs' ? 'created_at' : 'bucket'}, 'UTC')`

/** Histogram key of a time; `NULL` gets the key of 1 ms. */
export const timeKey = (column: string): string => `toUInt16(round(log(greatest(${column}, 1)) / log(1.1)))`

/** Histogram key of a row's time to first byte; `NULL` without one. */
export const firstByteKey = `if(isNull(time_to_first_byte_ms), NULL, ${timeKey('time_to_first_byte_ms')})`

/** @param value of a group; requests without a token or key have an id of zeros */
export const orNull = (value = ''): string | null => (value === '' || value === noId ? null : value)
