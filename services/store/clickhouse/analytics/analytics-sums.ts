import type { Analytics, Measures } from '#schemas/analytics.ts'
import { mapValues } from '#core/records.ts'
import { type Histogram, mergeHistograms, percentile } from './histogram.ts'
import { noSums, type UsageSums } from '../usage-sums.ts'

export interface SpanRow extends UsageSums {
  /** Seconds since 1970. */
  at: number
  responseTimes: Histogram
  firstByteTimes: Histogram
}

const percent = (part: number, whole: number, otherwise: number) => (whole === 0 ? otherwise : (100 * part) / whole)

export function toTotals(rows: readonly UsageSums[]) {
  const total = mapValues(noSums, (zero, name) => rows.reduce((sum, row) => sum + row[name], zero))
  const {
    failures: errors,
    unavailable,
    responseTimeMs,
    costNanoUsd,
    generatedTokens,
    generationMs,
    firstByteMs,
    firstBytes,
    ...sums
  } = total
  const { requests, unpricedRequests } = sums
  return {
    ...sums,
    costNanoUsd: requests > 0 && requests === unpricedRequests ? null : costNanoUsd,
    errors,
    successRate: percent(requests - errors, requests, 0),
    availability: percent(requests - unavailable, requests, 100),
    avgResponseTime: requests === 0 ? 0 : responseTimeMs / requests,
    avgFirstByte: firstBytes === 0 ? null : firstByteMs / firstBytes,
    tokensPerSecond: generationMs === 0 ? null : (1_000 * generatedTokens) / generationMs,
  }
}

/** Days with requests, oldest first, and all hours of the day. */
export function byCalendar(
  dates: readonly (UsageSums & { date: string })[],
  hours: readonly (UsageSums & { hour: number })[],
): Pick<Analytics, 'daily' | 'hourly'> {
  const rowByHour = new Map(hours.map((row) => [row.hour, row]))
  return {
    daily: dates.map((row) => {
      const { requests, errors, costNanoUsd } = toTotals([row])
      return { date: row.date, requests, errors, costNanoUsd }
    }),
    hourly: Array.from({ length: 24 }, (_, hour) => {
      const row = rowByHour.get(hour)
      const { requests, avgResponseTime } = toTotals(row ? [row] : [])
      return { hour, requests, avgResponseTime }
    }),
  }
}

export function toMeasures(rows: readonly SpanRow[]): Measures {
  const times = mergeHistograms(rows.map((row) => row.responseTimes))
  const firstBytes = mergeHistograms(rows.map((row) => row.firstByteTimes))
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
