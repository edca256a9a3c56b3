import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { rowConditions, sharedConditions } from './log-filters.ts'

/** Casts a time to the type of the table's time column. */
const timeColumns = {
  request_logs: { column: 'created_at', cast: (moment: string) => moment },
  usage_series: { column: 'bucket', cast: (moment: string) => `toDateTime(${moment}, 'UTC')` },
  usage_quarter_hour: { column: 'bucket', cast: (moment: string) => `toDateTime(${moment}, 'UTC')` },
  usage_day: { column: 'bucket', cast: (moment: string) => `toDate(${moment})` },
} as const

export type LogTable = keyof typeof timeColumns

/** Requests of a stretch of time in one table. ms since 1970; `to` is exclusive. */
export interface LogPiece {
  table: LogTable
  from: number
  to: number
  filters: RequestLogFilters
}

/** A query with the values of its parameters. Values never become SQL text. */
export interface Query {
  sql: string
  params: Record<string, unknown>
}

interface SelectOptions {
  /** Further conditions. */
  where?: readonly string[]
  /** Follows the conditions of each table. */
  end?: string
}

/** The matching requests of all pieces, for a subquery. @param columnsOf the same columns of each table */
export function selectPieces(
  accountId: string,
  pieces: readonly LogPiece[],
  columnsOf: (table: LogTable) => string,
  { where = [], end = '' }: SelectOptions = {},
): Query {
  const selects = pieces.map(({ table, from, to, filters }, at) => {
    const { column, cast } = timeColumns[table]
    const time = (name: string) => cast(`fromUnixTimestamp64Milli({${name}${at}: Int64}, 'UTC')`)
    const found = [sharedConditions(filters), ...(table === 'request_logs' ? [rowConditions(filters)] : [])]
    const range = [`${column} >= ${time('from')}`, `${column} < ${time('to')}`]
    const conditions = ['account_id = {accountId: UUID}', ...range, ...found.flatMap(({ sql }) => sql), ...where]
    return {
      sql: `SELECT ${columnsOf(table)} FROM ${table} WHERE ${conditions.join(' AND ')} ${end}`,
      params: Object.assign({ [`from${at}`]: from, [`to${at}`]: to }, ...found.map(({ params }) => params)),
    }
  })
  return {
    sql: selects.map(({ sql }) => `(${sql})`).join(' UNION ALL '),
    params: Object.assign({ accountId }, ...selects.map(({ params }) => params)),
  }
}
