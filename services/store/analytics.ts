import type { ClickHouseClient } from '#core/resources.ts'
import { day, hour, minute } from '#core/units.ts'
import type { Analytics, AnalyticsPart, AnalyticsStep, Measures } from '#schemas/analytics.ts'
import { selectRows } from './clickhouse-rows.ts'
import { type Histogram, mergeHistograms, percentile, toBands } from './histogram.ts'
import { noId } from './request-log-rows.ts'

const quarter = 15 * minute

/** A chart has at most so many points; the finest step that keeps to it is taken. */
const maxPoints = 200
const steps: Record<AnalyticsStep, number> = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': quarter,
  '1h': hour,
  '6h': 6 * hour,
  '1d': day,
}
const stepIntervals: Record<AnalyticsStep, string> = {
  '1m': 'INTERVAL 1 MINUTE',
  '5m': 'INTERVAL 5 MINUTE',
  '15m': 'INTERVAL 15 MINUTE',
  '1h': 'INTERVAL 1 HOUR',
  '6h': 'INTERVAL 6 HOUR',
  '1d': 'INTERVAL 1 DAY',
}

/** The minute rollup serves ranges that are short and recent; it is kept for days only. */
const longestMinuteRange = 6 * hour
export const minuteRetentionDays = 8

/** Upper ends of the heatmap's bands, ms. */
const bands = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000]

const partsShown = 100

export interface AnalyticsRange {
  /** ms since 1970; `to` is not in it. */
  from: number
  to: number
  timezone: string
}

interface SumRow {
  requests: number
  failures: number
  unavailable: number
  responseTimeMs: number
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  costNanoUsd: number
  unpricedRequests: number
  responseTimes: Histogram
}
interface SpanRow extends SumRow {
  at: number
  date: string
  hour: number
  firstBytes: Histogram
}
type PartRow = SumRow & { dimension: 'route' | 'model' | 'status' | 'token' | 'key'; value: string }

export type AnalyticsAnswer = Omit<Analytics, 'availableFrom' | 'completeUntil'>

export type AnalyticsStore = ReturnType<typeof createAnalyticsStore>

/** Reads rollups only: what a chart costs does not grow with the number of requests. */
export const createAnalyticsStore = (clickhouse: ClickHouseClient, { now = Date.now }: { now?: () => number } = {}) => {
  /** The range widened to whole buckets, and the table that has them. */
  function sourceOf(range: AnalyticsRange) {
    const isFine = range.to - range.from <= longestMinuteRange && range.from > now() - (minuteRetentionDays - 1) * day
    const bucket = isFine ? minute : quarter
    return {
      isFine,
      from: Math.floor(range.from / bucket) * bucket,
      to: Math.ceil(range.to / bucket) * bucket,
    }
  }

  /** Rows of the chart; with `step` undefined the whole range is one row. */
  async function spans(accountId: string, range: AnalyticsRange, step?: AnalyticsStep): Promise<SpanRow[]> {
    const { isFine, from, to } = sourceOf(range)
    const table = isFine ? 'usage_minute' : 'usage_breakdown'
    const failures = isFine ? 'sumIf(rollup.requests, status = 0 OR status >= 400)' : 'sum(failures)'
    const at = step ? `toStartOfInterval(bucket, ${stepIntervals[step]}, {timezone: String})` : 'min(bucket)'
    return selectRows<SpanRow>(
      clickhouse,
      `SELECT toUnixTimestamp(${at}) AS at, ${sums(`${failures} AS failed`)},
        sumMap(response_time_histogram) AS responseTimes, sumMap(first_byte_histogram) AS firstBytes
      FROM ${table} AS rollup WHERE account_id = {accountId: UUID} ${isFine ? '' : "AND dimension = 'all'"}
        AND bucket >= toDateTime({from: Int64}) AND bucket < toDateTime({to: Int64})
      ${step ? 'GROUP BY at ORDER BY at' : 'HAVING requests > 0'}`,
      paramsOf(accountId, from, to, range.timezone),
    )
  }

  async function days(accountId: string, range: AnalyticsRange): Promise<Analytics['daily']> {
    const { isFine, from, to } = sourceOf(range)
    return selectRows(
      clickhouse,
      `SELECT toDate(bucket, {timezone: String}) AS date, sum(rollup.requests) AS requests,
        ${isFine ? 'sumIf(rollup.requests, status = 0 OR status >= 400)' : 'sum(failures)'} AS errors,
        sum(rollup.cost_nano_usd) AS costNanoUsd
      FROM ${isFine ? 'usage_minute' : 'usage_breakdown'} AS rollup
      WHERE account_id = {accountId: UUID} ${isFine ? '' : "AND dimension = 'all'"}
        AND bucket >= toDateTime({from: Int64}) AND bucket < toDateTime({to: Int64})
      GROUP BY date ORDER BY date`,
      paramsOf(accountId, from, to, range.timezone),
    )
  }

  async function hours(accountId: string, range: AnalyticsRange): Promise<Analytics['hourly']> {
    const { isFine, from, to } = sourceOf(range)
    const rows = await selectRows<Analytics['hourly'][number]>(
      clickhouse,
      `SELECT toHour(bucket, {timezone: String}) AS hour, sum(rollup.requests) AS requests,
        sum(response_time_ms) / requests AS avgResponseTime
      FROM ${isFine ? 'usage_minute' : 'usage_breakdown'} AS rollup
      WHERE account_id = {accountId: UUID} ${isFine ? '' : "AND dimension = 'all'"}
        AND bucket >= toDateTime({from: Int64}) AND bucket < toDateTime({to: Int64})
      GROUP BY hour`,
      paramsOf(accountId, from, to, range.timezone),
    )
    const byHour = new Map(rows.map((row) => [row.hour, row]))
    return Array.from({ length: 24 }, (_, at) => byHour.get(at) ?? { hour: at, requests: 0, avgResponseTime: 0 })
  }

  async function parts(accountId: string, range: AnalyticsRange): Promise<PartRow[]> {
    const { isFine, from, to } = sourceOf(range)
    const inRange = `account_id = {accountId: UUID}
      AND bucket >= toDateTime({from: Int64}) AND bucket < toDateTime({to: Int64})`
    const source = isFine
      ? `SELECT part.1 AS dimension, part.2 AS value, ${sums('sumIf(rollup.requests, status = 0 OR status >= 400) AS failed')},
          sumMap(response_time_histogram) AS responseTimes
        FROM usage_minute AS rollup ARRAY JOIN [('route', toString(route)), ('model', toString(model)),
          ('status', toString(status)), ('token', toString(token_id)), ('key', toString(api_key_id))] AS part
        WHERE ${inRange} GROUP BY dimension, value`
      : `SELECT dimension, value, ${sums('sum(failures) AS failed')}, sumMap(response_time_histogram) AS responseTimes
        FROM usage_breakdown AS rollup WHERE ${inRange} AND dimension != 'all' GROUP BY dimension, value`
    return selectRows<PartRow>(
      clickhouse,
      `${source} ORDER BY requests DESC LIMIT ${partsShown} BY dimension`,
      paramsOf(accountId, from, to, range.timezone),
    )
  }

  return {
    async read(accountId: string, range: AnalyticsRange): Promise<AnalyticsAnswer> {
      const step = stepOf(range, sourceOf(range).isFine)
      const before = { ...range, from: range.from - (range.to - range.from), to: range.from }
      const [series, previous, daily, hourly, byPart] = await Promise.all([
        spans(accountId, range, step),
        spans(accountId, before),
        days(accountId, range),
        hours(accountId, range),
        parts(accountId, range),
      ])
      const { from, to } = sourceOf(range)
      const partsOf = (dimension: PartRow['dimension']) =>
        byPart.filter((row) => row.dimension === dimension).map(toPart)
      return {
        from: iso(from),
        to: iso(to),
        timezone: range.timezone,
        step,
        totals: toMeasures(series),
        previous: toMeasures(previous),
        series: series.map((row) => ({ at: iso(row.at * 1_000), ...toMeasures([row]) })),
        daily,
        hourly,
        heatmap: {
          at: series.map((row) => iso(row.at * 1_000)),
          bounds: bands,
          counts: series.map((row) => toBands(row.responseTimes, bands)),
        },
        routes: partsOf('route'),
        models: partsOf('model'),
        statuses: partsOf('status'),
        tokens: partsOf('token'),
        keys: partsOf('key'),
      }
    },
  }
}

const paramsOf = (accountId: string, from: number, to: number, timezone: string) => ({
  accountId,
  from: from / 1_000,
  to: to / 1_000,
  timezone,
})

/** @param failures expression and alias of the failed requests; the alias differs where the column has that name */
const sums = (failures: string) => `
  sum(rollup.requests) AS requests, ${failures}, failed AS failures, sum(rollup.unavailable) AS unavailable,
  sum(rollup.response_time_ms) AS responseTimeMs, sum(rollup.prompt_tokens) AS promptTokens,
  sum(rollup.completion_tokens) AS completionTokens, sum(rollup.cached_tokens) AS cachedTokens,
  sum(rollup.cost_nano_usd) AS costNanoUsd, sum(rollup.unpriced_requests) AS unpricedRequests`

const iso = (at: number) => new Date(at).toISOString()

export function stepOf({ from, to }: Pick<AnalyticsRange, 'from' | 'to'>, isFine: boolean): AnalyticsStep {
  const names = Object.keys(steps) as AnalyticsStep[]
  const usable = names.filter((name) => isFine || steps[name] >= quarter)
  return usable.find((name) => (to - from) / steps[name] <= maxPoints) ?? '1d'
}

const sum = <Row>(rows: readonly Row[], pick: (row: Row) => number) =>
  rows.reduce((total, row) => total + Number(pick(row)), 0)

const percent = (part: number, whole: number, otherwise: number) => (whole === 0 ? otherwise : (100 * part) / whole)

function toTotals(rows: readonly SumRow[]) {
  const requests = sum(rows, (row) => row.requests)
  const errors = sum(rows, (row) => row.failures)
  return {
    requests,
    errors,
    successRate: percent(requests - errors, requests, 0),
    availability: percent(requests - sum(rows, (row) => row.unavailable), requests, 100),
    avgResponseTime: requests === 0 ? 0 : sum(rows, (row) => row.responseTimeMs) / requests,
    promptTokens: sum(rows, (row) => row.promptTokens),
    completionTokens: sum(rows, (row) => row.completionTokens),
    cachedTokens: sum(rows, (row) => row.cachedTokens),
    costNanoUsd: sum(rows, (row) => row.costNanoUsd),
    unpricedRequests: sum(rows, (row) => row.unpricedRequests),
  }
}

function toMeasures(rows: readonly SpanRow[]): Measures {
  const times = mergeHistograms(rows.map((row) => row.responseTimes))
  const firstBytes = mergeHistograms(rows.map((row) => row.firstBytes))
  return {
    ...toTotals(rows),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    p99: percentile(times, 0.99),
    firstByteP50: percentile(firstBytes, 0.5),
    firstByteP95: percentile(firstBytes, 0.95),
    firstByteP99: percentile(firstBytes, 0.99),
  }
}

const toPart = (row: PartRow): AnalyticsPart => ({
  value: row.value === '' || row.value === noId ? null : row.value,
  ...toTotals([row]),
  p95: percentile(row.responseTimes, 0.95),
})
