import pLimit from 'p-limit'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { noId } from '#schemas/log-names.ts'
import type { LogValueField, LogValues } from '#schemas/log-values.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { maxSeconds, selectRows } from '../clickhouse-rows.ts'
import { groupedName, groupedValue } from '../grouping-sets.ts'
import type { FindMatches, LogPiece, LogTable } from './log-matches.ts'
import { selectColumns } from '../select-pieces.ts'

const valuesShown = 50
const tagKeysShown = 16

/** A tag can have any number of values; beyond this limit, the values are those that are read first. */
const mostValues = 100_000

/** Each filtered field has a query of its own. More at once would delay other accounts. */
const groupsAtOnce = 4

/** Columns that rows and rollups both have. */
const sharedColumns: Partial<Record<LogValueField, string>> = {
  model: 'model',
  endpoint: 'route',
  statusCode: 'status',
  token: 'token_id',
  key: 'api_key_id',
}
const rowColumns: Partial<Record<LogValueField, string>> = {
  outcome: 'outcome',
  errorCode: 'error_code',
  cache: 'cache_status',
}

interface CountedValue {
  /** Place of the field in the query; empty for the total of all requests. */
  field: string
  value: string
  requests: number
  /** Number of all values of the field, including those that are not listed. */
  totalValues: number
}

export type LogValuesStore = ReturnType<typeof createLogValuesStore>

/** Counts the matching requests by the value of a field. */
export const createLogValuesStore = (
  clickhouse: ClickHouseClient,
  { find, countedValues = mostValues }: { find: FindMatches; countedValues?: number },
) => {
  async function countValues(accountId: string, fields: readonly LogValueField[], pieces: readonly LogPiece[]) {
    const isTagKeys = fields[0] === 'tag'
    const tagKeys = fields.flatMap((field, at) => (isTag(field) ? [[`tagKey${at}`, tagKeyOf(field)]] : []))
    const columns = Object.fromEntries(fields.map((_field, at) => [at, `v${at}`]))
    const selected = fields.map((field, at) => `${columnOf(field, at)} AS ${columns[at]}`).join(', ')
    const { sql, params } = selectColumns(accountId, pieces, (table) => `${selected}, ${requestsOf(table)} AS n`)
    const rows = await selectRows<CountedValue>(
      clickhouse,
      `SELECT *, count() OVER (PARTITION BY field) AS totalValues FROM (
        SELECT ${groupedName(columns, '')} AS field, ${groupedValue(columns)} AS value, sum(n) AS requests
        FROM (${sql}) GROUP BY GROUPING SETS (${Object.values(columns).join(', ')}, ())
      )
      ORDER BY requests DESC, value LIMIT ${isTagKeys ? tagKeysShown : valuesShown} BY field
      SETTINGS max_execution_time = ${maxSeconds}, max_rows_to_group_by = ${countedValues}, group_by_overflow_mode = 'any'`,
      { ...params, ...Object.fromEntries(tagKeys) },
    )
    const byField = Map.groupBy(rows, ({ field }) => field)
    const total = byField.get('')?.[0]?.requests ?? 0
    return fields.map((field, at) => toValues(field, byField.get(String(at)) ?? [], total))
  }

  return {
    async read(accountId: string, filters: RequestLogFilters, fields: readonly LogValueField[]): Promise<LogValues> {
      const filtered = fields.filter((field) => isFiltered(filters, field))
      const groups = [
        ...filtered.map((field) => ({ fields: [field], filters: without(filters, field) })),
        { fields: fields.filter((field) => !filtered.includes(field)), filters },
      ]
      const limit = pLimit(groupsAtOnce)
      const counted = await limit.map(groups, async (group) => {
        const { rows, requests } = await find(accountId, group.filters)
        const isInRollups = (field: LogValueField) => requests !== rows && field in sharedColumns
        const sets = [
          { fields: group.fields.filter(isInRollups), pieces: requests },
          { fields: group.fields.filter((field) => !isInRollups(field) && field !== 'tag'), pieces: rows },
          // Counted separately, because tags give one row per tag of a log.
          { fields: group.fields.filter((field) => field === 'tag'), pieces: rows },
        ]
        const used = sets.filter((set) => set.fields.length > 0)
        return Promise.all(used.map((set) => countValues(accountId, set.fields, set.pieces)))
      })
      const found = counted.flat(2)
      return fields.flatMap((field) => found.find((each) => each.field === field) ?? [])
    },
  }
}

const columnOf = (field: LogValueField, at: number): string =>
  sharedColumns[field] ??
  rowColumns[field] ??
  (field === 'tag' ? 'arrayJoin(mapKeys(tags))' : `tags[{tagKey${at}: String}]`)

const requestsOf = (table: LogTable) => `toUInt64(${table === 'request_logs' ? 'request_count' : 'requests'})`

const tagKeyOf = (field: LogValueField) => field.slice('tag:'.length)

const isTagOf = (field: LogValueField) => (text: string) => text.startsWith(`${tagKeyOf(field)}:`)

function isFiltered(filters: RequestLogFilters, field: LogValueField): boolean {
  if (field === 'tag') return false
  return isTag(field) ? Boolean(filters.tag?.some(isTagOf(field))) : filters[field] !== undefined
}

/** The filters without those on the field itself. */
function without(filters: RequestLogFilters, field: LogValueField): RequestLogFilters {
  if (!isTag(field)) return { ...filters, [field]: undefined }
  const isOwn = isTagOf(field)
  return { ...filters, tag: filters.tag?.filter((text) => !isOwn(text)) }
}

const isTag = (field: LogValueField): field is `tag:${string}` => field.startsWith('tag:')

function toValues(field: LogValueField, rows: readonly CountedValue[], total: number): LogValues[number] {
  const values = rows.map(({ value, requests }) => ({ value: toFilterValue(field, value), requests }))
  const [first] = rows
  const shown = values.reduce((sum, { requests }) => sum + requests, 0)
  return {
    field,
    values,
    others: {
      values: (first?.totalValues ?? 0) - values.length,
      requests: total - shown,
    },
  }
}

/** Converts the value to what its filter accepts. */
function toFilterValue(field: LogValueField, value: string): string {
  if (field === 'cache') return value || 'none'
  return value === noId && (field === 'token' || field === 'key') ? 'none' : value
}
