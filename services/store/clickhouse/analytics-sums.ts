import type { Analytics, Measures } from '#schemas/analytics.ts'
import { type Histogram, mergeHistograms, percentile } from './histogram.ts'

/** Sums of a group of requests in a rollup. */
export interface SumRow {
  requests: number
  failures: number
  unavailable: number
  responseTimeMs: number
  promptTokens: number
  completionTokens: number
  cachedTokens: number
  costNanoUsd: number
  unpricedRequests: number
}

/** A step of time, with how long its requests took. */
export interface SpanRow extends SumRow {
  /** Seconds since 1970. */
  at: number
  responseTimes: Histogram
  firstBytes: Histogram
}

const sum = <Row>(rows: readonly Row[], pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0)

const percent = (part: number, whole: number, otherwise: number) => (whole === 0 ? otherwise : (100 * part) / whole)

export function toTotals(rows: readonly SumRow[]) {
  const { failures: errors, unavailable, responseTimeMs, ...sums } = addUp(rows)
  const { requests } = sums
  return {
    ...sums,
    errors,
    successRate: percent(requests - errors, requests, 0),
    availability: percent(requests - unavailable, requests, 100),
    avgResponseTime: requests === 0 ? 0 : responseTimeMs / requests,
  }
}

/** The sums of several groups. */
function addUp(rows: readonly SumRow[]): SumRow {
  return {
    requests: sum(rows, (row) => row.requests),
    failures: sum(rows, (row) => row.failures),
    unavailable: sum(rows, (row) => row.unavailable),
    responseTimeMs: sum(rows, (row) => row.responseTimeMs),
    promptTokens: sum(rows, (row) => row.promptTokens),
    completionTokens: sum(rows, (row) => row.completionTokens),
    cachedTokens: sum(rows, (row) => row.cachedTokens),
    costNanoUsd: sum(rows, (row) => row.costNanoUsd),
    unpricedRequests: sum(rows, (row) => row.unpricedRequests),
  }
}

/** The days that had requests, oldest first, and all hours of the day. */
export function byCalendar(
  dates: readonly (SumRow & { date: string })[],
  hours: readonly (SumRow & { hour: number })[],
): Pick<Analytics, 'daily' | 'hourly'> {
  const ofHour = new Map(hours.map((row) => [row.hour, row]))
  return {
    daily: dates.map((row) => {
      const { requests, errors, costNanoUsd } = toTotals([row])
      return { date: row.date, requests, errors, costNanoUsd }
    }),
    hourly: Array.from({ length: 24 }, (_, hour) => {
      const row = ofHour.get(hour)
      const { requests, avgResponseTime } = toTotals(row ? [row] : [])
      return { hour, requests, avgResponseTime }
    }),
  }
}

export function toMeasures(rows: readonly SpanRow[]): Measures {
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
