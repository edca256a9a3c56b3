import { minute } from '#core/units.ts'
import type { AnalyticsStep } from '#schemas/analytics.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { type Conditions, rowConditions, sharedConditions } from './log-filters.ts'
import { quarter, rangePieces, type RollupLevel } from './range-pieces.ts'
import { dateLiteral, momentLiteral, timeLiteral, timezoneLiteral, uuidLiteral } from './sql-literals.ts'

/** The requests of an account in a range, all or those that match the filters. Times in ms since 1970. */
export interface Source {
  accountId: string
  from: number
  to: number
  timezone: string
  filters: RequestLogFilters
  /** Minute rollups are read, which serve short and recent ranges. */
  isFine: boolean
}

/** A query or part of one, with the values of its parameters. */
export interface Select {
  sql: string
  params: Conditions['params']
}

interface Reading<Table extends string> {
  /** From coarse to fine; none: rows only. */
  levels: readonly RollupLevel<Table>[]
  /** Whether the previous range, which is as long, is read too. */
  withPrevious?: boolean
  conditions: Conditions
  /** The SELECT of a rollup, or of rows. */
  select: (part: { table: Table | 'request_logs'; isPrevious: 0 | 1; where: string }) => string
}

export const maxSeconds = 5

/** Filters on columns that only rows have. */
export const needsRows = ({ filters }: Pick<Source, 'filters'>): boolean => rowConditions(filters).sql.length > 0

export const hasFilters = ({ filters }: Source): boolean => filterConditions(filters).sql.length > 0

export function filterConditions(filters: RequestLogFilters): Conditions {
  const [shared, row] = [sharedConditions(filters), rowConditions(filters)]
  return { sql: [...shared.sql, ...row.sql], params: { ...shared.params, ...row.params } }
}

export const noConditions: Conditions = { sql: [], params: {} }

/** Rollups that keep the time of day. */
export const timedLevel = <Kind extends string>(kind: Kind, isFine: boolean) =>
  isFine
    ? [{ table: `${kind}_minute`, step: minute } as const]
    : [{ table: `${kind}_quarter_hour`, step: quarter } as const]

/** Reads a range from rollups, and its ends, which are no whole buckets, from rows. */
export function selectPieces<Table extends string>(
  { accountId, from, to }: Pick<Source, 'accountId' | 'from' | 'to'>,
  { levels, withPrevious = false, conditions, select }: Reading<Table>,
): Select {
  const of = (isPrevious: 0 | 1, start: number, end: number) =>
    rangePieces(start, end, levels).map((piece) => ({ ...piece, isPrevious }))
  const pieces = [...(withPrevious ? of(1, Math.max(0, from - (to - from)), from) : []), ...of(0, from, to)]
  const parts = Map.groupBy(pieces, ({ table, isPrevious }) => `${table} ${isPrevious}`)
  const selects = Array.from(parts.values(), (list) => {
    const [{ table, isPrevious }] = list as [(typeof pieces)[number]]
    const ranges = list.map((piece) => `(${between(table, piece.from, piece.to)})`).join(' OR ')
    const where = [`account_id = ${uuidLiteral(accountId)}`, `(${ranges})`, ...conditions.sql].join(' AND ')
    return select({ table, isPrevious, where })
  })
  return { sql: selects.join(' UNION ALL '), params: conditions.params }
}

function between(table: string, from: number, to: number): string {
  if (table === 'request_logs') return `created_at >= ${momentLiteral(from)} AND created_at < ${momentLiteral(to)}`
  const literal = table.endsWith('_day') ? dateLiteral : timeLiteral
  return `bucket >= ${literal(from)} AND bucket < ${literal(to)}`
}

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

/** Time of a row in the type of a bucket. */
export const rowBucket = `toDateTime(created_at, 'UTC')`

/** Key of a response time in histograms. */
export const timeKey = (column: string): string => `toUInt16(round(log(greatest(${column}, 1)) / log(1.1)))`
