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
import { groupedName, groupedValue } from '../grouping-sets.ts'
import type { Histogram } from './histogram.ts'
import { quarter, usageLevels } from '../range-pieces.ts'
import { type Query, selectColumns, selectPieces } from '../select-pieces.ts'
import { timezoneLiteral } from '../sql-literals.ts'
import { addSums, sumsIn, type UsageSums } from '../usage-sums.ts'

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

interface TimesRow {
  dimension: keyof typeof timedColumns | 'all' | 'first_byte'
  /** Empty for times by step. */
  value: string
  /** Start of the step, seconds since 1970; 0 for the previous range, and for values. */
  at: number
  times: Histogram
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

    /** Response times by step and by value, and times to first byte by step. */
    times(source: Source, step: AnalyticsStep) {
      const from = timesOf(source, step)
      return read<TimesRow>(
        from,
        `SELECT dimension, value, at, mapFromArrays(groupArray(time_key), groupArray(n)) AS times FROM (
          SELECT dimension, value, at, time_key, sum(piece.requests) AS n FROM (${from.sql}) AS piece
          GROUP BY dimension, value, at, time_key
        ) GROUP BY dimension, value, at`,
      )
    },

    /** @param limit maximum number of values per dimension; those with the most requests are kept */
    parts(source: Source, limit: number) {
      const from = usageOfParts(source)
      return read<PartRow>(
        from,
        `SELECT ${groupedName(partColumns, '')} AS dimension, ${groupedValue(partColumns)} AS value, ${addSums('piece')} FROM (${from.sql}) AS piece
        GROUP BY GROUPING SETS (${Object.values(partColumns).join(', ')})
        ORDER BY requests DESC LIMIT ${limit} BY dimension`,
      )
    },
  }
}

const timedColumns = { route: 'route', model: 'model', token: 'token_id', key: 'api_key_id' } as const
const partColumns: Record<PartRow['dimension'], string> = { ...timedColumns, status: 'status' }

function usageOverTime(source: Source): Query {
  const isSeries = !source.isFine && !hasFilters(source)
  const timed = timedLevel('usage', source.isFine)
  const levels = isSeries ? [{ table: 'usage_series', step: quarter } as const] : timed
  const previousLevels = isSeries || source.isFine ? levels : usageLevels
  const pieces = source.readsRows ? comparedPieces(source, []) : comparedPieces<string>(source, levels, previousLevels)
  return selectColumns(
    source.accountId,
    pieces,
    (table) => `${isPreviousIn(table, source)} AS isPrevious, ${bucketOf(table)} AS bucket, ${sumsIn(table)}`,
  )
}

function usageOfParts(source: Source): Query {
  const levels = source.isFine ? timedLevel('usage', true) : usageLevels
  const columns = Object.values(partColumns).join(', ')
  const pieces = piecesOf<string>(source, source.readsRows ? [] : levels)
  return selectColumns(source.accountId, pieces, (table) => `${columns}, ${sumsIn(table)}`)
}

/** Histograms have one dimension, so filtered requests are counted from rows, which are read once for all dimensions. */
function timesOf(source: Source, step: AnalyticsStep): Query {
  if (hasFilters(source)) return timesOfFiltered(source, step)
  const timed = timedLevel('latency', source.isFine)
  const coarsest = { table: 'latency_day', step: usageLevels[0].step } as const
  const byValue = piecesOf<string>(source, source.isFine ? timed : [coarsest, ...timed])
  const pieces = [
    ...comparedPieces<string>(source, timed).map((piece) => ({ ...piece, isByStep: true })),
    ...byValue.flatMap((piece) => (piece.table === 'request_logs' ? [] : [{ ...piece, isByStep: false }])),
  ]
  return selectPieces(source.accountId, pieces, ({ table, isByStep }, where) => {
    const isPrevious = isPreviousIn(table, source)
    const at = `if(${isPrevious}, 0, ${stepOf(source, step, bucketOf(table))})`
    if (table === 'request_logs') return timesOfFewRows(where, at, isPrevious)
    return isByStep
      ? `SELECT toString(dimension) AS dimension, '' AS value, ${at} AS at, time_key, requests FROM ${table}
          WHERE ${where} AND dimension IN ('all', 'first_byte')`
      : `SELECT toString(dimension) AS dimension, value, 0 AS at, time_key, requests FROM ${table}
          WHERE ${where} AND dimension IN ('${Object.keys(timedColumns).join("', '")}')`
  })
}

/** Of the previous range only the totals are shown, so its rows are read without the columns of the parts. */
function timesOfFiltered(source: Source, step: AnalyticsStep): Query {
  const { from, previousRowsFrom } = source
  const pieces = [
    ...piecesOf<string>({ ...source, from: previousRowsFrom, to: from }, []).map((piece) => ({
      ...piece,
      at: 'toUInt32(0)',
      columns: {},
    })),
    ...piecesOf<string>(source, []).map((piece) => ({
      ...piece,
      at: stepOf(source, step, bucketOf(piece.table)),
      columns: timedColumns,
    })),
  ]
  return selectPieces(source.accountId, pieces, ({ at, columns }, where) => timesOfRows(where, at, columns))
}

const rowKeys = `${timeKey('response_time_ms')} AS response, ${firstByteKey} AS first_key, request_count`
const columnsOfRows = [...Object.values(timedColumns), rowKeys].join(', ')

/** One row for each dimension of a row: for few rows, this is cheaper than a grouping set for each. */
const timesOfFewRows = (where: string, at: string, isPrevious: string) => `
  SELECT part.1 AS dimension, part.2 AS value, part.3 AS at, assumeNotNull(part.4) AS time_key, request_count AS requests
  FROM (SELECT ${columnsOfRows}, ${at} AS start, if(${isPrevious}, NULL, response) AS own FROM request_logs WHERE ${where})
  ARRAY JOIN [('all', '', start, response), ('first_byte', '', start, first_key), ${Object.entries(timedColumns)
    .map(([name, column]) => `('${name}', toString(${column}), 0, own)`)
    .join(', ')}] AS part
  WHERE isNotNull(part.4)`

/**
 * The innermost query is separate because `grouping` fails on a distributed table (ClickHouse issue 71270).
 * @param columns to group by in addition to the step
 */
function timesOfRows(where: string, at: string, columns: Record<string, string>): string {
  const read = Object.values(columns).map((column) => `${column}, `)
  const sets = ['(at, response)', '(at, first_key)', ...Object.values(columns).map((column) => `(${column}, response)`)]
  return `
  SELECT dimension, value, at, if(dimension = 'first_byte', assumeNotNull(first_key), response) AS time_key,
    n AS requests
  FROM (
    SELECT ${groupedName({ ...columns, first_byte: 'first_key' }, 'all')} AS dimension,
      ${groupedValue(columns)} AS value, at, response, first_key, sum(request_count) AS n
    FROM (SELECT ${read.join('')}${at} AS at, ${rowKeys} FROM request_logs WHERE ${where})
    GROUP BY GROUPING SETS (${sets.join(', ')})
  ) WHERE dimension != 'first_byte' OR isNotNull(first_key)`
}
