import type { AlertMeasure } from '#schemas/alerts.ts'
import { nanoUsdPerUsd } from '#core/units.ts'
import { bucketMs, type Histogram, percentile } from './histogram.ts'

/** Sums of one group over a period. */
export interface AlertSums {
  groupValue: string
  requests: number
  failures: number
  costNanoUsd: number
  unpricedRequests: number
  times?: Histogram
}

export const noRequests = { requests: 0, failures: 0, costNanoUsd: 0, unpricedRequests: 0 }

/** Percent, ms, USD or number of requests; `null` if there is nothing to measure. */
export function alertValue(measure: AlertMeasure, sums: Omit<AlertSums, 'groupValue'>): number | null {
  const { requests, failures, costNanoUsd, unpricedRequests, times = {} } = sums
  if (measure === 'requests') return requests
  if (measure === 'p95') return percentile(times, 0.95)
  if (measure === 'cost') return requests > 0 && unpricedRequests === requests ? null : costNanoUsd / nanoUsdPerUsd
  return requests > 0 ? (100 * failures) / requests : null
}

const counts = ['requests', 'failures', 'costNanoUsd', 'unpricedRequests'] as const

/** Size of a histogram. The longest response time, 49 days, has a smaller key. */
const timeKeys = 256

/**
 * The measure over the last `width` steps, for each step from the first full window on. Each step is added and removed
 * once, so the cost does not depend on the width.
 */
export function slidingValues(
  measure: AlertMeasure,
  steps: readonly (AlertSums | undefined)[],
  width: number,
): (number | null)[] {
  const sums = { ...noRequests }
  const times = new Float64Array(timeKeys)
  function add(step: AlertSums | undefined, sign: 1 | -1): void {
    if (!step) return
    for (const name of counts) sums[name] += sign * (step[name] ?? 0)
    for (const [key, count] of Object.entries(step.times ?? {})) times[Number(key)]! += sign * Number(count)
  }
  return steps.flatMap((step, at) => {
    add(step, 1)
    if (at < width - 1) return []
    const value = measure === 'p95' ? percentile95(times, sums.requests) : alertValue(measure, sums)
    add(steps[at - width + 1], -1)
    return [value]
  })
}

function percentile95(times: Float64Array, requests: number): number | null {
  let rest = 0.95 * requests
  if (requests === 0) return null
  for (const [key, count] of times.entries()) {
    rest -= count
    if (count > 0 && rest <= 0) return Math.round(bucketMs(key))
  }
  return null
}
