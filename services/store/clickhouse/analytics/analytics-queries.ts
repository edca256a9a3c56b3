import type { ClickHouseClient } from '#core/resources.ts'
import type { AnalyticsStep } from '#schemas/analytics.ts'
import type { SumRow } from './analytics-sums.ts'
import { selectRows } from '../clickhouse-rows.ts'
import type { Histogram } from './histogram.ts'
import { rangePieces } from '../range-pieces.ts'
import { dateLiteral, timeLiteral, timezoneLiteral, uuidLiteral } from '../sql-literals.ts'

/** A range of whole minutes (`isFine`) or quarter hours, ms since 1970. */
export interface Source {
  isFine: boolean
  from: number
  to: number
  timezone: string
}

export type PartRow = SumRow & { dimension: 'route' | 'model' | 'status' | 'token' | 'key'; value: string }

interface GroupedTime {
  /** 1 for the previous range, which is one group. */
  isBefore: number
  /** Which of the members below is the group's time. */
  by: 'at' | 'date' | 'hour'
  /** Start of the step, seconds since 1970. */
  at: number
  date: string
  hour: number
}

const intervals: Record<AnalyticsStep, string> = {
  '1m': 'INTERVAL 1 MINUTE',
  '5m': 'INTERVAL 5 MINUTE',
  '15m': 'INTERVAL 15 MINUTE',
  '1h': 'INTERVAL 1 HOUR',
  '6h': 'INTERVAL 6 HOUR',
  '1d': 'INTERVAL 1 DAY',
}

/** The queries of the Analytics screen; each reads few rows, however many requests there were. */
export const createAnalyticsQueries = (clickhouse: ClickHouseClient) => ({
  /** Sums by step, by day and by hour of the timezone, and of the previous range as one group. */
  sums: (accountId: string, source: Source, step: AnalyticsStep) =>
    selectRows<SumRow & GroupedTime>(
      clickhouse,
      `SELECT ${isBefore(source)} AS isBefore, if(isBefore, 0, ${timeOf(source, step)}) AS at,
        if(isBefore, toDate(0), toDate(bucket, ${timezoneLiteral(source.timezone)})) AS date,
        if(isBefore, 0, toHour(bucket, ${timezoneLiteral(source.timezone)})) AS hour,
        multiIf(grouping(at) = 0, 'at', grouping(date) = 0, 'date', 'hour') AS by,
        ${sumColumns}, ${failed(source)} AS failures
      FROM ${source.isFine ? 'usage_minute' : 'usage_series'} AS rollup WHERE ${inRangeOrBefore(accountId, source)}
      GROUP BY GROUPING SETS ((isBefore, at), (isBefore, date), (isBefore, hour)) ORDER BY at, date`,
    ),

  /** Response times and times to first byte by step; `at` 0: the previous range. */
  times: (accountId: string, source: Source, step: AnalyticsStep) =>
    selectRows<{ at: number; dimension: 'all' | 'first_byte'; times: Histogram }>(
      clickhouse,
      `SELECT at, dimension, ${histogram} AS times FROM (
        SELECT if(${isBefore(source)}, 0, ${timeOf(source, step)}) AS at, dimension, time_key, sum(rollup.requests) AS n
        FROM ${source.isFine ? 'latency_minute' : 'latency_quarter_hour'} AS rollup
        WHERE ${inRangeOrBefore(accountId, source)} AND dimension IN ('all', 'first_byte')
        GROUP BY at, dimension, time_key
      ) GROUP BY at, dimension`,
    ),

  /** @param limit of values per dimension, those with the most requests */
  parts: (accountId: string, source: Source, limit: number) =>
    selectRows<PartRow>(
      clickhouse,
      `SELECT ${dimensionOf} AS dimension, ${valueOf} AS value, ${sumColumns},
        sumIf(rollup.requests, rollup.status = 0 OR rollup.status >= 400) AS failures
      FROM (${fromPieces(accountId, source, 'usage')}) AS rollup
      GROUP BY GROUPING SETS (${Object.values(partColumns).join(', ')})
      ORDER BY requests DESC LIMIT ${limit} BY dimension`,
    ),

  partTimes: (accountId: string, source: Source) =>
    selectRows<{ dimension: 'route' | 'model'; value: string; times: Histogram }>(
      clickhouse,
      `SELECT dimension, value, sumMap(map(time_key, requests)) AS times
      FROM (${fromPieces(accountId, source, 'latency')}) GROUP BY dimension, value`,
    ),
})

const summed = [
  'requests',
  'unavailable',
  'response_time_ms',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cost_nano_usd',
  'unpriced_requests',
] as const

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const sumColumns = summed.map((name) => `sum(rollup.${name}) AS ${camelCase(name)}`).join(', ')

const partColumns: Record<PartRow['dimension'], string> = {
  route: 'route',
  model: 'model',
  status: 'status',
  token: 'token_id',
  key: 'api_key_id',
}
const ofParts = (pick: (dimension: string, column: string) => string) =>
  `multiIf(${Object.entries(partColumns)
    .map(([dimension, column]) => `grouping(${column}) = 0, ${pick(dimension, column)}`)
    .join(', ')}, '')`
const dimensionOf = ofParts((dimension) => `'${dimension}'`)
const valueOf = ofParts((_, column) => `toString(${column})`)
const histogram = 'mapFromArrays(groupArray(time_key), groupArray(n))'

const between = (accountId: string, from: number, to: number) =>
  `account_id = ${uuidLiteral(accountId)} AND bucket >= ${timeLiteral(from)} AND bucket < ${timeLiteral(to)}`

const inRangeOrBefore = (accountId: string, { from, to }: Source) => between(accountId, from - (to - from), to)

const isBefore = ({ from }: Source) => `bucket < ${timeLiteral(from)}`

const timeOf = ({ timezone }: Source, step: AnalyticsStep) =>
  `toUnixTimestamp(toStartOfInterval(bucket, ${intervals[step]}, ${timezoneLiteral(timezone)}))`

const failed = ({ isFine }: Source) =>
  isFine ? 'sumIf(rollup.requests, status = 0 OR status >= 400)' : 'sum(rollup.failures)'

/** The rows of a range: whole days from the daily table, and both ends from the quarter-hourly one. */
function fromPieces(accountId: string, { isFine, from, to }: Source, kind: 'usage' | 'latency'): string {
  const columns =
    kind === 'usage' ? [...Object.values(partColumns), ...summed].join(', ') : 'dimension, value, time_key, requests'
  const only = kind === 'usage' ? '' : "AND dimension IN ('route', 'model')"
  if (isFine) return `SELECT ${columns} FROM ${kind}_minute WHERE ${between(accountId, from, to)} ${only}`
  const pieces = Map.groupBy(rangePieces(from, to), ({ table }) => table === 'usage_day')
  const readings = pieces.entries().map(([isDay, within]) => {
    const time = isDay ? dateLiteral : timeLiteral
    const ranges = within.map((piece) => `bucket >= ${time(piece.from)} AND bucket < ${time(piece.to)}`)
    return `SELECT ${columns} FROM ${kind}_${isDay ? 'day' : 'quarter_hour'}
      WHERE account_id = ${uuidLiteral(accountId)} ${only} AND (${ranges.join(' OR ')})`
  })
  return readings.toArray().join(' UNION ALL ')
}
