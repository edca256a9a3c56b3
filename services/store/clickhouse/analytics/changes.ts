import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { isoTime } from '#core/period.ts'
import type { ChangeDimension, ChangeMeasure, Changes, ChangesQuery } from '#schemas/analytics-changes.ts'
import { orNull } from './analytics-source.ts'
import { type Candidate, type Compared, rankChanges } from './change-ranking.ts'
import { maxSeconds, selectRow, selectRows } from '../clickhouse-rows.ts'
import { groupedName, groupedValue } from '../grouping-sets.ts'
import { filterConditions } from '../logs/log-filters.ts'
import type { TimeSpan } from '../range-pieces.ts'
import { whereWithin } from '../select-pieces.ts'

/** Compared values of a dimension or of a tag's key: those whose amount changed most. */
const valuesCompared = 200

/** Maximum numbers of tag values that are counted and compared: each request may have a different value. */
const maxTagValues = 500_000
const tagValuesCompared = 5_000

/** Almost every request has its own value, so this tag explains nothing. */
const traceTag = 'trace'

/** The time before ends at `from`. */
interface ComparedRange extends TimeSpan {
  beforeFrom: number
}

interface SumsRow {
  requestsNow: number
  requestsBefore: number
  amountNow: number
  amountBefore: number
  squares: number
}
type ColumnRow = SumsRow & { dimension: Exclude<ChangeDimension, 'tag'> | 'all'; value: string }
type TagRow = SumsRow & { tag: string; value: string }

export type ChangeStore = ReturnType<typeof createChangeStore>

export const createChangeStore = (clickhouse: ClickHouseClient) => {
  /** The 95th percentile of the requests before, ms; `null` if there were none. */
  async function p95Before(source: string, params: Record<string, unknown>): Promise<number | null> {
    const query = `SELECT if(count() = 0, NULL, quantileExactWeighted(0.95)(response_time_ms, request_count)) AS p95
      FROM ${source} AND NOT ${isNow} SETTINGS max_execution_time = ${maxSeconds}`
    return (await selectRow<{ p95: number | null }>(clickhouse, query, params)).p95
  }

  return {
    /** Compares a period with the time before it, by the values of each dimension. */
    async read(
      accountId: string,
      filters: ChangesQuery,
      range: ComparedRange,
    ): Promise<Omit<Changes, 'availableFrom'>> {
      const { beforeFrom, from, to } = range
      const { measure } = filters
      const scale = (to - from) / (from - beforeFrom)
      const conditions = filterConditions(filters)
      const where = whereWithin(accountId, [{ table: 'request_logs', from: beforeFrom, to }], conditions)
      const source = `request_logs WHERE ${where}`
      const compared = { ...conditions.params, start: from, scale }
      const slowAbove = measure === 'slow' ? await p95Before(source, compared) : null
      const counted = { ...compared, slowAbove: slowAbove ?? 0 }
      const [columnRows, tagRows] = await Promise.all([
        selectRows<ColumnRow>(clickhouse, columnsQuery(source, measure), counted),
        selectRows<TagRow>(clickhouse, tagsQuery(source, measure), counted),
      ])
      const total = columnRows.find(({ dimension }) => dimension === 'all')
      const all = total ? toCompared(total) : nothing
      const candidates: Candidate[] = [
        ...columnRows.flatMap(({ dimension, value, ...row }) =>
          dimension === 'all' ? [] : [{ dimension, tag: null, value: orNull(value), ...toCompared(row) }],
        ),
        ...tagRows.map(({ tag, value, ...row }) => ({ dimension: 'tag' as const, tag, value, ...toCompared(row) })),
      ]
      // Without earlier requests, there is no threshold for slow ones.
      const hasBaseline = measure !== 'slow' || slowAbove !== null
      return {
        from: isoTime(from),
        to: isoTime(to),
        beforeFrom: isoTime(beforeFrom),
        measure,
        slowAbove,
        now: all.now,
        before: all.before,
        ...rankChanges(hasBaseline ? candidates : [], all, { measure, scale }),
      }
    },
  }
}

const toCompared = (row: SumsRow): Compared => ({
  now: { requests: row.requestsNow, amount: row.amountNow },
  before: { requests: row.requestsBefore, amount: row.amountBefore },
  squares: row.squares,
})
const none = { requests: 0, amount: 0 }
const nothing: Compared = { now: none, before: none, squares: 0 }

const isNow = '(created_at >= fromUnixTimestamp64Milli({start: Int64}))'

/** SQL for the amount that a row adds, by measure. */
const amounts: Record<ChangeMeasure, string> = {
  requests: 'request_count',
  errors: 'if(status = 0 OR status >= 400, request_count, 0)',
  slow: 'if(response_time_ms > {slowAbove: UInt32}, request_count, 0)',
  cost: 'ifNull(cost_nano_usd, 0)',
}

const sums = `
  sumIf(requests, isNow) AS requestsNow, sumIf(requests, NOT isNow) AS requestsBefore,
  sumIf(amount, isNow) AS amountNow, sumIf(amount, NOT isNow) AS amountBefore,
  sum(toFloat64(amount) * amount) AS squares`

const mostChanged = 'abs(toFloat64(amountNow) - toFloat64(amountBefore) * {scale: Float64}) DESC'

const columns = {
  model: 'model',
  endpoint: 'route',
  token: 'token_id',
  key: 'api_key_id',
  status: 'status',
  errorCode: 'error_code',
  outcome: 'outcome',
} satisfies Record<Exclude<ChangeDimension, 'tag'>, string>

/** Reads the rows once for all columns and for the overall sum. */
const columnsQuery = (source: string, measure: ChangeMeasure) => `
  SELECT ${groupedName(columns, 'all')} AS dimension, ${groupedValue(columns)} AS value, ${sums}
  FROM (
    SELECT ${Object.values(columns).join(', ')}, ${isNow} AS isNow, request_count AS requests,
      ${amounts[measure]} AS amount
    FROM ${source}
  )
  GROUP BY GROUPING SETS (${Object.values(columns)
    .map((column) => `(${column})`)
    .join(', ')}, ())
  ORDER BY ${mostChanged} LIMIT ${valuesCompared} BY dimension SETTINGS max_execution_time = ${maxSeconds}`

const tagsQuery = (source: string, measure: ChangeMeasure) => `
  SELECT tag, value, ${sums}
  FROM (
    SELECT mapKeys(tags) AS names, mapValues(tags) AS texts, ${isNow} AS isNow, request_count AS requests,
      ${amounts[measure]} AS amount
    FROM ${source} AND notEmpty(tags)
  ) ARRAY JOIN names AS tag, texts AS value
  WHERE tag != '${traceTag}'
  GROUP BY tag, value
  ORDER BY ${mostChanged} LIMIT ${valuesCompared} BY tag LIMIT ${tagValuesCompared}
  SETTINGS max_execution_time = ${maxSeconds}, max_rows_to_group_by = ${maxTagValues}, group_by_overflow_mode = 'any'`
