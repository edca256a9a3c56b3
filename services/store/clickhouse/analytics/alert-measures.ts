import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import { second } from '#core/units.ts'
import type { AlertCondition } from '#schemas/alerts.ts'
import { noId } from '#schemas/log-names.ts'
import { groupsPerAlert } from '#shared/alerts/evaluate-alert.ts'
import { type AlertSums, alertValue, noRequests, slidingValues } from './alert-values.ts'
import { selectRows } from '../clickhouse-rows.ts'
import { filterConditions, rowConditions, sharedConditions } from '../logs/log-filters.ts'
import { keptFrom, quarter, type TimeSpan } from '../range-pieces.ts'
import { defaultRetention, type RetentionConfig } from '../retention.ts'
import { timeKey } from './analytics-source.ts'

/** Number of groups in the history; the query reads one more to detect that there are more. */
const groupsInHistory = 10

/** Time limits of the queries, seconds. */
const limits = { window: 5, history: 10 }

type Measured = Pick<AlertCondition, 'measure' | 'filters' | 'group'>

export type AlertMeasureStore = ReturnType<typeof createAlertMeasureStore>

type Retention = Pick<RetentionConfig, 'logRetentionDays' | 'rollupRetentionDays'>

/**
 * Reads rollups if they have the columns of the filters and the group, and rows otherwise.
 * @param retention limits the history
 */
export const createAlertMeasureStore = (clickhouse: ClickHouseClient, retention: Retention = defaultRetention) => ({
  /**
   * The measure over whole minutes, by group; the group with the most requests comes first.
   * @param known groups that are always measured, in addition to those with the most requests
   */
  async window(accountId: string, measured: Measured, span: TimeSpan, known: readonly string[]) {
    const { table, columns, where, group, params } = readingOf(measured, 'minute')
    const rows = await selectRows<AlertSums>(
      clickhouse,
      `SELECT ${group} AS groupValue, ${columns} FROM ${table} AS r WHERE ${where} GROUP BY groupValue
      ORDER BY groupValue IN {known: Array(String)} DESC, requests DESC LIMIT ${groupsPerAlert + known.length}
      SETTINGS max_execution_time = ${limits.window}`,
      { ...params, ...spanParams(accountId, span), known },
    )
    const largestFirst = rows.toSorted((a, b) => b.requests - a.requests)
    const values = new Map(largestFirst.map((row) => [row.groupValue, alertValue(measured.measure, row)]))
    if (measured.group === null && values.size === 0) values.set('', alertValue(measured.measure, noRequests))
    return values
  },

  /**
   * The measure by group over windows of whole quarter hours, with one value at the end of each quarter hour: `null` if
   * the window begins before what is kept. The span ends about now.
   * @param windowMinutes a multiple of 15
   */
  async history(accountId: string, measured: Measured, { from, to }: TimeSpan, windowMinutes: number) {
    const { table, columns, where, group, bucket, params } = readingOf(measured, 'quarter_hour')
    const quarters = windowMinutes / 15
    const first = from - (quarters - 1) * quarter
    const rows = await selectRows<AlertSums & { at: number }>(
      clickhouse,
      `SELECT ${group} AS groupValue, toUnixTimestamp(${bucket}) AS at, ${columns} FROM ${table} AS r
      WHERE ${where} AND ${group} IN (
        SELECT ${group} AS groupValue FROM ${table} AS r WHERE ${where} GROUP BY groupValue
        ORDER BY ${requestsOf[sourceOf(measured)]} DESC, groupValue LIMIT ${groupsInHistory + 1})
      GROUP BY groupValue, at SETTINGS max_execution_time = ${limits.history}`,
      { ...params, ...spanParams(accountId, { from: first, to }) },
    )
    const byGroup = Map.groupBy(rows, (row) => row.groupValue)
    if (measured.group === null && byGroup.size === 0) byGroup.set('', [])
    const { logRetentionDays, rollupRetentionDays } = retention
    const kept = keptFrom(to, sourceOf(measured) === 'rows' ? logRetentionDays : rollupRetentionDays)
    const largest = [...byGroup].toSorted(byRequests).slice(0, groupsInHistory)
    const groups = largest.map(([name, sums]) => {
      const steps = Array.from<AlertSums | undefined>({ length: (to - first) / quarter })
      for (const row of sums) steps[(row.at * second - first) / quarter] = row
      // An alert does not know a group before its first requests, so that it can't miss any.
      const known = measured.group === null ? 0 : steps.findIndex((step) => step !== undefined) - quarters + 1
      const start = Math.max(known, (kept - first) / quarter)
      const values = slidingValues(measured.measure, steps, quarters)
      return { group: name, values: values.map((value, at) => (at < start ? null : value)) }
    })
    return { groups, isCut: byGroup.size > groupsInHistory }
  },
})

type GroupSums = [name: string, sums: readonly AlertSums[]]

/** For groups with as many requests, in alphabetical order, as in the query of their names. */
const byRequests = ([nameA, a]: GroupSums, [nameB, b]: GroupSums) =>
  requestsIn(b) - requestsIn(a) || (nameA < nameB ? -1 : 1)

const requestsIn = (sums: readonly AlertSums[]) => sums.reduce((total, { requests }) => total + requests, 0)

type Source = 'usage' | 'latency' | 'rows'

function sourceOf({ measure, filters, group }: Measured): Source {
  const logFilters = { ...filters, searchMode: 'words' as const }
  if (rowConditions(logFilters).sql.length > 0 || group?.startsWith('tag:')) return 'rows'
  if (measure !== 'p95') return 'usage'
  const isByRollup = group === null || group === 'model' || group === 'endpoint'
  return isByRollup && sharedConditions(logFilters).sql.length === 0 ? 'latency' : 'rows'
}

const requestsOf: Record<Source, string> = {
  usage: 'sum(r.requests)',
  latency: 'sum(r.requests)',
  rows: 'sum(r.request_count)',
}

const sumsOf: Record<Source, string> = {
  usage: `sumIf(r.requests, r.status = 0 OR r.status >= 400) AS failures, sum(r.cost_nano_usd) AS costNanoUsd,
    sum(r.unpriced_requests) AS unpricedRequests`,
  latency: 'sumMap(map(r.time_key, r.requests)) AS times',
  rows: `sumIf(r.request_count, r.status = 0 OR r.status >= 400) AS failures,
    sum(ifNull(r.cost_nano_usd, 0)) AS costNanoUsd, sumIf(r.request_count, isNull(r.cost_nano_usd)) AS unpricedRequests`,
}

const groupColumns = {
  model: 'toString(r.model)',
  endpoint: 'toString(r.route)',
  token: `if(r.token_id = toUUID('${noId}'), '', toString(r.token_id))`,
  key: `if(r.api_key_id = toUUID('${noId}'), '', toString(r.api_key_id))`,
}

const latencyDimensions = { model: 'model', endpoint: 'route', token: 'all', key: 'all' }

/** The SQL parts of the query for a measure. */
function readingOf(measured: Measured, step: 'minute' | 'quarter_hour') {
  const { measure, filters, group } = measured
  const source = sourceOf(measured)
  const conditions = filterConditions({ ...filters, searchMode: 'words' })
  const column = group === null || group in groupColumns ? (group as keyof typeof groupColumns | null) : null
  const dimension = column ? latencyDimensions[column] : 'all'
  const time = source === 'rows' ? 'r.created_at' : 'r.bucket'
  const times =
    source === 'rows' && measure === 'p95'
      ? `, sumMap(map(${timeKey('r.response_time_ms')}, toUInt64(r.request_count))) AS times`
      : ''
  const groupOf = () => {
    if (group === null) return "''"
    if (!column) return 'r.tags[{groupTag: String}]'
    return source === 'latency' ? 'toString(r.value)' : groupColumns[column]
  }
  return {
    table: source === 'rows' ? 'request_logs' : `${source}_${step}`,
    columns: `${requestsOf[source]} AS requests, ${sumsOf[source]}${times}`,
    bucket: source === 'rows' ? "toStartOfFifteenMinutes(toDateTime(r.created_at, 'UTC'))" : 'r.bucket',
    group: groupOf(),
    where: [
      'r.account_id = {accountId: UUID}',
      `${time} >= toDateTime({from: UInt32}, 'UTC') AND ${time} < toDateTime({to: UInt32}, 'UTC')`,
      ...(source === 'latency' ? [`r.dimension = '${dimension}'`] : []),
      ...conditions.sql,
    ].join(' AND '),
    params: { ...conditions.params, groupTag: group?.slice('tag:'.length) ?? '' },
  }
}

const spanParams = (accountId: string, { from, to }: TimeSpan) => ({ accountId, from: from / second, to: to / second })
