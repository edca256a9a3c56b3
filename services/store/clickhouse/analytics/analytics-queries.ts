import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { AnalyticsStep } from '#schemas/analytics.ts'
import {
  bucketOf,
  comparedPieces,
  firstByteKey,
  hasFilters,
  isPreviousIn,
  piecesOf,
  type Source,
  stepOf,
  timedLevel,
  timeKey,
} from './analytics-source.ts'
import { maxSeconds, selectRows } from '../clickhouse-rows.ts'
import type { Histogram } from './histogram.ts'
import { quarter, usageLevels } from '../range-pieces.ts'
import { type Query, selectPieces } from '../select-pieces.ts'
import { timezoneLiteral } from '../sql-literals.ts'
import { addSums, sumsOfBucket, sumsOfRow, sumsOfSeries, type UsageSums } from '../usage-sums.ts'

export type PartRow = UsageSums & { dimension: 'route' | 'model' | 'status' | 'token' | 'key'; value: string }

interface GroupedTime {
  /** 1 for the previous range, which is a single group. */
  isPrevious: number
  /** The member below that holds the group's time. */
  by: 'at' | 'date' | 'hour'
  /** Start of the step, seconds since 1970. */
  at: number
  date: string
  hour: number
}

/** Queries of the Analytics screen. Without filters, they read few rows regardless of the number of requests. */
export const createAnalyticsQueries = (clickhouse: ClickHouseClient) => {
  const read = <Row>({ params }: Query, sql: string) =>
    selectRows<Row>(clickhouse, `${sql} SETTINGS max_execution_time = ${maxSeconds}`, params)

  return {
    /** Sums by step, by day and by hour of the timezone, and of the previous range as one group. */
    sums(source: Source, step: AnalyticsStep) {
      const from = usageOverTime(source)
      const zone = timezoneLiteral(source.timezone)
      return read<UsageSums & GroupedTime>(
        from,
        `SELECT isPrevious, if(isPrevious, 0, ${stepOf(source, step)}) AS at,
          if(isPrevious, toDate(0), toDate(bucket, ${zone})) AS date, if(isPrevious, 0, toHour(bucket, ${zone})) AS hour,
          multiIf(grouping(at) = 0, 'at', grouping(date) = 0, 'date', 'hour') AS by, ${addSums('piece')}
        FROM (${from.sql}) AS piece
        GROUP BY GROUPING SETS ((isPrevious, at), (isPrevious, date), (isPrevious, hour)) ORDER BY at, date`,
      )
    },

    /** Response times and times to first byte by step; `at` is 0 for the previous range. */
    times(source: Source, step: AnalyticsStep) {
      const from = timesOverTime(source, step)
      return read<{ at: number; dimension: 'all' | 'first_byte'; times: Histogram }>(
        from,
        `SELECT at, dimension, mapFromArrays(groupArray(time_key), groupArray(n)) AS times FROM (
          SELECT at, dimension, time_key, sum(piece.requests) AS n FROM (${from.sql}) AS piece
          GROUP BY at, dimension, time_key
        ) GROUP BY at, dimension`,
      )
    },

    /** @param limit maximum number of values per dimension; those with the most requests are kept */
    parts(source: Source, limit: number) {
      const from = usageOfParts(source)
      return read<PartRow>(
        from,
        `SELECT ${dimensionOf} AS dimension, ${valueOf} AS value, ${addSums('piece')} FROM (${from.sql}) AS piece
        GROUP BY GROUPING SETS (${Object.values(partColumns).join(', ')})
        ORDER BY requests DESC LIMIT ${limit} BY dimension`,
      )
    },

    partTimes(source: Source) {
      const from = timesOfParts(source)
      return read<{ dimension: 'route' | 'model' | 'token' | 'key'; value: string; times: Histogram }>(
        from,
        `SELECT dimension, value, sumMap(map(time_key, requests)) AS times FROM (${from.sql}) GROUP BY dimension, value`,
      )
    },
  }
}

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

function usageOverTime(source: Source): Query {
  const isSeries = !source.isFine && !hasFilters(source)
  const timed = timedLevel('usage', source.isFine)
  const levels = isSeries ? [{ table: 'usage_series', step: quarter } as const] : timed
  const previousLevels = isSeries || source.isFine ? levels : usageLevels
  const pieces = source.isOfRows ? comparedPieces(source, []) : comparedPieces<string>(source, levels, previousLevels)
  return selectPieces(source.accountId, pieces, ({ table }, where) => {
    const sums = table === 'request_logs' ? sumsOfRow : isSeries ? sumsOfSeries : sumsOfBucket
    return `SELECT ${isPreviousIn(table, source)} AS isPrevious, ${bucketOf(table)} AS bucket, ${sums}
      FROM ${table} WHERE ${where}`
  })
}

function usageOfParts(source: Source): Query {
  const levels = source.isFine ? timedLevel('usage', true) : usageLevels
  const columns = Object.values(partColumns).join(', ')
  const pieces = piecesOf<string>(source, source.isOfRows ? [] : levels)
  return selectPieces(
    source.accountId,
    pieces,
    ({ table }, where) =>
      `SELECT ${columns}, ${table === 'request_logs' ? sumsOfRow : sumsOfBucket} FROM ${table} WHERE ${where}`,
  )
}

/** Histograms have one dimension, so filtered requests are counted from rows. */
function timesOverTime(source: Source, step: AnalyticsStep): Query {
  const pieces = comparedPieces<string>(source, hasFilters(source) ? [] : timedLevel('latency', source.isFine))
  return selectPieces(source.accountId, pieces, ({ table }, where) => {
    const at = `if(${isPreviousIn(table, source)}, 0, ${stepOf(source, step, bucketOf(table))}) AS at`
    if (table !== 'request_logs')
      return `SELECT ${at}, toString(dimension) AS dimension, time_key, requests FROM ${table}
          WHERE ${where} AND dimension IN ('all', 'first_byte')`
    return `SELECT at, if(is_first, 'first_byte', 'all') AS dimension,
          if(is_first, assumeNotNull(first_key), response) AS time_key, n AS requests
        FROM (
          SELECT ${at}, ${timeKey('response_time_ms')} AS response, ${firstByteKey} AS first_key,
            grouping(response) = 1 AS is_first, sum(request_count) AS n
          FROM request_logs WHERE ${where} GROUP BY GROUPING SETS ((at, response), (at, first_key))
        ) WHERE NOT is_first OR isNotNull(first_key)`
  })
}

function timesOfParts(source: Source): Query {
  const coarse = [{ table: 'latency_day', step: usageLevels[0].step }, ...timedLevel('latency', false)] as const
  const levels = source.isFine ? timedLevel('latency', true) : coarse
  const pieces = piecesOf<string>(source, hasFilters(source) ? [] : levels)
  return selectPieces(source.accountId, pieces, ({ table }, where) =>
    table === 'request_logs'
      ? `SELECT part.1 AS dimension, part.2 AS value, time_key, n AS requests FROM (
            SELECT route, model, token_id, api_key_id, ${timeKey('response_time_ms')} AS time_key, sum(request_count) AS n
            FROM request_logs WHERE ${where} GROUP BY route, model, token_id, api_key_id, time_key
          ) ARRAY JOIN [('route', toString(route)), ('model', toString(model)), ('token', toString(token_id)),
            ('key', toString(api_key_id))] AS part`
      : `SELECT toString(dimension) AS dimension, value, time_key, requests FROM ${table}
            WHERE ${where} AND dimension IN ('route', 'model', 'token', 'key')`,
  )
}
