import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import type { AnalyticsStep, GroupBy } from '#schemas/analytics.ts'
import {
  firstByteKey,
  hasFilters,
  needsRows,
  piecesOf,
  rowBucket,
  type Source,
  stepOf,
  timedLevel,
  timeKey,
} from './analytics-source.ts'
import { maxSeconds, selectRows } from '../clickhouse-rows.ts'
import { type RollupLevel, usageLevels } from '../range-pieces.ts'
import { type Query, selectPieces } from '../select-pieces.ts'
import { addSums, sumsOfBucket, sumsOfRow, type UsageSums } from '../usage-sums.ts'

/** Further groups are combined into one, the others: in totals, and in series. */
const namedGroups = 20
export const chartedGroups = 6

/** A tag can have any number of values; beyond this limit, the top groups come from the values that are read first. */
const countedValues = 100_000

interface GroupRow {
  /** 1 for the first of the top groups, 0 for all others. */
  place: number
  /** Start of the step, seconds since 1970; `null` for the whole range. */
  at: number | null
}

export type GroupSums = UsageSums & GroupRow
/** Keys of a histogram at p50, p95 and p99. */
type Keys = [number, number, number]
/** Times to first byte are known only where rows are read. */
export type GroupTimes = GroupRow & { keys: Keys; firstByteKeys?: Keys }

interface Group {
  /** Column of rows and, unless `isRow`, of rollups. */
  column: string
  type: 'String' | 'UUID' | 'UInt16'
  isRow?: boolean
  /** Dimension of the histograms. */
  dimension?: string
  params?: Record<string, string>
}

/** Queries for sums and response times by a property of the requests. */
export const createGroupQueries = (clickhouse: ClickHouseClient) => {
  const read = <Row>(from: Query, top: readonly string[], sql: string) =>
    selectRows<Row>(clickhouse, sql, { ...from.params, top })
  const settings = `SETTINGS max_execution_time = ${maxSeconds}`

  return {
    /** The values with the most requests. */
    async top(source: Source, groupBy: GroupBy): Promise<string[]> {
      const group = groupOf(groupBy)
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
    async measures(source: Source, groupBy: GroupBy, top: readonly string[], step: AnalyticsStep) {
      const group = groupOf(groupBy)
      const steps = (from: Query) => `(SELECT *, ${stepOf(source, step)} AS time, ${line} FROM (${from.sql})) AS piece`
      const sums = <Row extends GroupSums>(from: Query, more = '') =>
        read<Row>(
          from,
          top,
          `SELECT ${ofGroup}, ${addSums('piece')}${more} FROM ${steps(from)} GROUP BY ${groupingSets}
          ORDER BY at ${settings}`,
        )
      // Rows are read once for both, because reading is the slow part.
      if (readsRows(source, groupBy)) {
        const column = `${placeIn(group.type, group.column)}, ${timeKeysOfRow}`
        const rows = await sums<GroupSums & GroupTimes>(
          usageOf(source, group, column),
          `, ${percentileKeys}, ${firstByteKeys}`,
        )
        return { sums: rows, times: rows }
      }
      const from = timesOf(source, group)
      const [rows, times] = await Promise.all([
        sums<GroupSums>(usageOf(source, group, placeIn(group.type, group.column))),
        read<GroupTimes>(
          from,
          top,
          `SELECT ${ofGroup}, ${percentileKeys}${timesNeedRows(source, group) ? `, ${firstByteKeys}` : ''}
          FROM ${steps(from)} GROUP BY ${groupingSets} ${settings}`,
        ),
      ])
      return { sums: rows, times }
    },

    readsRows,
  }
}

const readsRows = (source: Pick<Source, 'filters'>, groupBy: GroupBy): boolean =>
  needsRows(source) || groupOf(groupBy).isRow === true

const topOf: Record<Group['type'], string> = {
  String: '{top: Array(String)}',
  UUID: '{top: Array(UUID)}',
  UInt16: 'arrayMap(text -> toUInt16(text), {top: Array(String)})',
}
const placeIn = (type: Group['type'], column: string) => `indexOf(${topOf[type]}, ${column}) AS position`
const line = `if(position <= ${chartedGroups}, position, 0) AS line`
const ofGroup = 'if(grouping(position) = 0, position, line) AS place, if(grouping(time) = 0, time, NULL) AS at'
const percentileKeys = 'quantilesExactWeighted(0.5, 0.95, 0.99)(time_key, piece.requests) AS keys'
const firstByteKeys = 'quantilesExactWeighted(0.5, 0.95, 0.99)(first_byte_key, piece.requests) AS firstByteKeys'
const timeKeyOfRow = `${timeKey('response_time_ms')} AS time_key`
const timeKeysOfRow = `${timeKeyOfRow}, ${firstByteKey} AS first_byte_key`
const groupingSets = 'GROUPING SETS ((position), (line, time))'

const groups: Record<Exclude<GroupBy, `tag:${string}`>, Group> = {
  model: { column: 'model', type: 'String', dimension: 'model' },
  endpoint: { column: 'route', type: 'String', dimension: 'route' },
  token: { column: 'token_id', type: 'UUID', dimension: 'token' },
  key: { column: 'api_key_id', type: 'UUID', dimension: 'key' },
  status: { column: 'status', type: 'UInt16' },
  outcome: { column: 'toString(outcome)', type: 'String', isRow: true },
  errorCode: { column: 'error_code', type: 'String', isRow: true },
}

const isTag = (groupBy: GroupBy): groupBy is `tag:${string}` => groupBy.startsWith('tag:')

const groupOf = (groupBy: GroupBy): Group =>
  isTag(groupBy)
    ? { column: 'tags[{groupTag: String}]', type: 'String', isRow: true, params: { groupTag: groupBy.slice(4) } }
    : groups[groupBy]

function usageOf(
  source: Source,
  group: Group,
  column: string,
  levels: readonly RollupLevel<string>[] = timedLevel('usage', source.isFine),
): Query {
  const pieces = piecesOf(source, group.isRow || needsRows(source) ? [] : levels)
  const { sql, params } = selectPieces(source.accountId, pieces, ({ table }, where) =>
    table === 'request_logs'
      ? `SELECT ${column}, ${rowBucket} AS bucket, ${sumsOfRow} FROM request_logs WHERE ${where}`
      : `SELECT ${column}, toDateTime(bucket, 'UTC') AS bucket, ${sumsOfBucket} FROM ${table} WHERE ${where}`,
  )
  return { sql, params: { ...params, ...group.params } }
}

/** Histograms have one dimension, so filtered requests are counted from rows. */
const timesNeedRows = (source: Source, { dimension }: Group): boolean => !dimension || hasFilters(source)

function timesOf(source: Source, group: Group): Query {
  const { dimension } = group
  const isOfRows = timesNeedRows(source, group)
  const levels = isOfRows ? [] : timedLevel('latency', source.isFine)
  const { sql, params } = selectPieces(source.accountId, piecesOf<string>(source, levels), ({ table }, where) =>
    table === 'request_logs'
      ? `SELECT ${placeIn(group.type, group.column)}, ${rowBucket} AS bucket, ${isOfRows ? timeKeysOfRow : timeKeyOfRow},
            request_count AS requests FROM request_logs WHERE ${where}`
      : `SELECT ${placeIn('String', 'value')}, bucket, time_key, requests FROM ${table}
            WHERE ${where} AND dimension = '${dimension}'`,
  )
  return { sql, params: { ...params, ...group.params } }
}
