import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { day } from '#core/units.ts'
import type { AnalyticsStep, GroupBy } from '#schemas/analytics.ts'
import {
  bucketOf,
  firstByteKey,
  hasFilters,
  piecesOf,
  type Source,
  stepOf,
  timedLevel,
  timeKey,
} from './analytics-source.ts'
import { maxSeconds, selectRow, selectRows } from '../clickhouse-rows.ts'
import { type RollupLevel, type TimeSpan, usageLevels } from '../range-pieces.ts'
import { type Query, selectColumns, selectPieces, whereWithin } from '../select-pieces.ts'
import { addSums, sumsIn, type UsageSums } from '../usage-sums.ts'

/** Number of groups that are listed individually, in totals and in series; all others are combined into one. */
const namedGroups = 20
export const chartedGroups = 6

/** A tag can have any number of values; beyond this limit, the top groups come from the values that are read first. */
const countedValues = 100_000

interface GroupRow {
  /** Rank among the top groups, from 1; 0 for all other groups together. */
  place: number
  /** Start of the step, seconds since 1970; `null` for the whole range. */
  at: number | null
}

export type GroupSums = UsageSums & GroupRow
/** Keys of a histogram at p50, p95 and p99. */
type Keys = [number, number, number]
/** Times to first byte are known only where rows or histograms of failures are read. */
export type GroupTimes = GroupRow & { keys: Keys; firstByteKeys?: Keys | [] }

interface Group {
  /** Column of rows and, unless `isRow`, of rollups. */
  column: string
  type: 'String' | 'UUID' | 'UInt16'
  isRow?: boolean
  /** Dimension of the histograms. */
  dimension?: string
  /** The group's value in the histograms of failures, as SQL, and its value for all other requests. */
  failures?: { value: string; success: string }
  params?: Record<string, string>
}

/** Queries for sums and response times by a property of the requests. */
export const createGroupQueries = (clickhouse: ClickHouseClient) => {
  const read = <Row>(from: Query, top: readonly string[], sql: string) =>
    selectRows<Row>(clickhouse, sql, { ...from.params, top })
  const settings = `SETTINGS max_execution_time = ${maxSeconds}`

  /** False if a day of the range has requests from before rollups had outcomes, error codes and times of failures. */
  async function knowsFailures(accountId: string, { from, to }: TimeSpan): Promise<boolean> {
    const days = [{ table: 'usage_day', from, to: to + day }]
    const where = whereWithin(accountId, days, { sql: ["outcome = 'unknown'"], params: {} })
    return (await selectRow<{ n: number }>(clickhouse, `SELECT count() AS n FROM usage_day WHERE ${where}`)).n === 0
  }

  return {
    /** The group, adapted to what the rollups of the range contain. */
    async groupOf(accountId: string, range: TimeSpan, groupBy: GroupBy): Promise<Group> {
      const group = isTag(groupBy) ? tagGroup(groupBy.slice(4)) : groups[groupBy]
      if (!group.failures) return group
      return (await knowsFailures(accountId, range)) ? { ...group, isRow: false } : { ...group, failures: undefined }
    },

    /** The values with the most requests. */
    async top(source: Source, group: Group): Promise<string[]> {
      const from = usageOf(source, group, `${group.column} AS value`, source.isFine ? undefined : usageLevels)
      const rows = await read<{ name: string }>(
        from,
        [],
        `SELECT toString(piece.value) AS name, sum(piece.requests) AS n FROM (${from.sql}) AS piece
        GROUP BY piece.value ORDER BY n DESC, name LIMIT ${namedGroups}
        ${settings}, max_rows_to_group_by = ${countedValues}, group_by_overflow_mode = 'any'`,
      )
      return rows.map(({ name }) => name)
    },

    /** Totals of the top groups and of all others, and the steps of the charted groups. */
    async measures(source: Source, group: Group, top: readonly string[], step: AnalyticsStep) {
      const steps = (from: Query) => `(SELECT *, ${stepOf(source, step)} AS time, ${line} FROM (${from.sql})) AS piece`
      const sums = <Row extends GroupSums>(from: Query, more = '') =>
        read<Row>(
          from,
          top,
          `SELECT ${placeAndStep}, ${addSums('piece')}${more} FROM ${steps(from)} GROUP BY ${groupingSets}
          ORDER BY at ${settings}`,
        )
      // Rows are read once for both, because reading is the slow part.
      if (source.readsRows) {
        const column = `${placeIn(group.type, group.column)}, ${timeKeysOfRow}`
        const rows = await sums<GroupSums & GroupTimes>(
          usageOf(source, group, column),
          `, ${percentileKeys}, ${firstByteKeys}`,
        )
        return { sums: rows, times: rows }
      }
      const { failures } = group
      const from =
        failures && !hasFilters(source) ? timesByFailure(source, step, { ...group, failures }) : timesOf(source, group)
      const [rows, times] = await Promise.all([
        sums<GroupSums>(usageOf(source, group, placeIn(group.type, group.column))),
        read<GroupTimes>(
          from,
          top,
          `SELECT ${placeAndStep}, ${percentileKeys}${timesNeedRows(source, group) ? `, ${firstByteKeys}` : ''}
          FROM ${steps(from)} GROUP BY ${groupingSets} ${settings}`,
        ),
      ])
      return { sums: rows, times }
    },
  }
}

const topOf: Record<Group['type'], string> = {
  String: '{top: Array(String)}',
  UUID: '{top: Array(UUID)}',
  UInt16: 'arrayMap(text -> toUInt16(text), {top: Array(String)})',
}
/** Unlike `indexOf`, `transform` does not compare a value with each of the top values in turn. */
const placeIn = (type: Group['type'], column: string) =>
  `transform(${column}, ${topOf[type]}, arrayEnumerate({top: Array(String)}), 0) AS position`
const line = `if(position <= ${chartedGroups}, position, 0) AS line`
const placeAndStep = 'if(grouping(position) = 0, position, line) AS place, if(grouping(time) = 0, time, NULL) AS at'
const percentileKeys = 'quantilesExactWeighted(0.5, 0.95, 0.99)(time_key, piece.requests) AS keys'
const firstByteKeys = `if(sumIf(piece.requests, isNotNull(first_byte_key)) = 0, [],
  quantilesExactWeighted(0.5, 0.95, 0.99)(first_byte_key, piece.requests)) AS firstByteKeys`
const timeKeyOfRow = `${timeKey('response_time_ms')} AS time_key`
const timeKeysOfRow = `${timeKeyOfRow}, ${firstByteKey} AS first_byte_key`
const groupingSets = 'GROUPING SETS ((position), (line, time))'

const groups: Record<Exclude<GroupBy, `tag:${string}`>, Group> = {
  model: { column: 'model', type: 'String', dimension: 'model' },
  endpoint: { column: 'route', type: 'String', dimension: 'route' },
  token: { column: 'token_id', type: 'UUID', dimension: 'token' },
  key: { column: 'api_key_id', type: 'UUID', dimension: 'key' },
  status: { column: 'status', type: 'UInt16', failures: { value: 'toUInt16(parts[1])', success: '200' } },
  outcome: {
    column: 'toString(outcome)',
    type: 'String',
    isRow: true,
    failures: { value: 'parts[2]', success: "'completed'" },
  },
  errorCode: {
    column: 'error_code',
    type: 'String',
    isRow: true,
    failures: { value: "arrayStringConcat(arraySlice(parts, 3), ' ')", success: "''" },
  },
}

const isTag = (groupBy: GroupBy): groupBy is `tag:${string}` => groupBy.startsWith('tag:')

const tagGroup = (groupTag: string): Group => ({
  column: 'tags[{groupTag: String}]',
  type: 'String',
  isRow: true,
  params: { groupTag },
})

function usageOf(
  source: Source,
  group: Group,
  column: string,
  levels: readonly RollupLevel<string>[] = timedLevel('usage', source.isFine),
): Query {
  const pieces = piecesOf(source, source.readsRows ? [] : levels)
  const columnsOf = (table: string) => `${column}, ${bucketOf(table)} AS bucket, ${sumsIn(table)}`
  const { sql, params } = selectColumns(source.accountId, pieces, columnsOf)
  return { sql, params: { ...params, ...group.params } }
}

/** Histograms have one dimension, so filtered requests are counted from rows. */
const timesNeedRows = (source: Source, { dimension }: Group): boolean => !dimension || hasFilters(source)

function timesOf(source: Source, group: Group): Query {
  const { dimension } = group
  const readsRows = timesNeedRows(source, group)
  const levels = readsRows ? [] : timedLevel('latency', source.isFine)
  const { sql, params } = selectPieces(source.accountId, piecesOf<string>(source, levels), ({ table }, where) =>
    table === 'request_logs'
      ? `SELECT ${placeIn(group.type, group.column)}, ${bucketOf(table)} AS bucket, ${readsRows ? timeKeysOfRow : timeKeyOfRow},
            request_count AS requests FROM request_logs WHERE ${where}`
      : `SELECT ${placeIn('String', 'value')}, bucket, time_key, requests FROM ${table}
            WHERE ${where} AND dimension = '${dimension}'`,
  )
  return { sql, params: { ...params, ...group.params } }
}

/** Counts all requests as successes, then adds failures with their own values and subtracts them from successes. */
function timesByFailure(
  source: Source,
  step: AnalyticsStep,
  { type, column, failures }: Required<Pick<Group, 'type' | 'column' | 'failures'>>,
): Query {
  const all = { dimensions: "'all', 'first_byte'", value: failures.success, sign: '' }
  const failed = { dimensions: "'failure', 'failure_first_byte'", value: failures.value, sign: '' }
  const parts = [all, failed, { ...failed, value: all.value, sign: '-' }]
  const pieces = piecesOf<string>(source, timedLevel('latency', source.isFine)).flatMap((piece) =>
    (piece.table === 'request_logs' ? [all] : parts).map((part) => ({ ...piece, ...part })),
  )
  const { sql, params } = selectPieces(source.accountId, pieces, (piece, where) =>
    piece.table === 'request_logs'
      ? `SELECT ${placeIn(type, column)}, ${bucketOf(piece.table)} AS bucket, ${timeKeysOfRow}, toInt64(request_count) AS n
            FROM request_logs WHERE ${where}`
      : `WITH splitByChar(' ', value) AS parts, dimension IN ('first_byte', 'failure_first_byte') AS isFirst
          SELECT ${placeIn(type, piece.value)}, bucket, if(isFirst, NULL, time_key) AS time_key,
            if(isFirst, latencies.time_key, NULL) AS first_byte_key, ${piece.sign}toInt64(requests) AS n
          FROM ${piece.table} AS latencies WHERE ${where} AND dimension IN (${piece.dimensions})`,
  )
  const summed = `SELECT position, toDateTime(${stepOf(source, step)}, 'UTC') AS bucket, time_key, first_byte_key,
      toUInt64(sum(n)) AS requests FROM (${sql}) GROUP BY position, bucket, time_key, first_byte_key`
  return { sql: summed, params }
}
