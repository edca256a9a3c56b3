import type { Analytics, Measures } from '#schemas/analytics.ts'
import { mapValues } from '#core/records.ts'
import { type Histogram, mergeHistograms, percentile } from './histogram.ts'

const noSums = {
  requests: 0,
  failures: 0,
  unavailable: 0,
  responseTimeMs: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  costNanoUsd: 0,
  unpricedRequests: 0,
}

/** Sums of a group of requests in a rollup. */
export type SumRow = typeof noSums

export interface SpanRow extends SumRow {
  /** Seconds since 1970. */
  at: number
  responseTimes: Histogram
  firstBytes: Histogram
}

const percent = (part: number, whole: number, otherwise: number) => (whole === 0 ? otherwise : (100 * part) / whole)

export function toTotals(rows: readonly SumRow[]) {
  const total = mapValues(noSums, (zero, name) => rows.reduce((sum, row) => sum + row[name], zero))
  const { failures: errors, unavailable, responseTimeMs, costNanoUsd, ...sums } = total
  const { requests, unpricedRequests } = sums
  return {
    ...sums,
    costNanoUsd: requests > 0 && requests === unpricedRequests ? null : costNanoUsd,
    errors,
    successRate: percent(requests - errors, requests, 0),
    availability: percent(requests - unavailable, requests, 100),
    avgResponseTime: requests === 0 ? 0 : responseTimeMs / requests,
  }
}

/** Days with requests, oldest first, and all hours of the day. */
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
