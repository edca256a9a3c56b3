/** Counts by `round(log(ms) / log(1.1))`, as in the rollups. */
export type Histogram = Record<string, number>

const base = Math.log(1.1)

/** @returns ms, within 5 % */
export const bucketMs = (key: number): number => Math.exp(key * base)

export function mergeHistograms(histograms: Iterable<Histogram>): Histogram {
  const merged: Histogram = {}
  for (const histogram of histograms) {
    for (const [key, count] of Object.entries(histogram)) merged[key] = (merged[key] ?? 0) + Number(count)
  }
  return merged
}

/** @returns ms, within 5 %; `null` for an empty histogram */
export function percentile(histogram: Histogram, part: number): number | null {
  // Objects list integer keys in ascending order.
  const keys = Object.keys(histogram)
  const total = keys.reduce((sum, key) => sum + Number(histogram[key]), 0)
  if (total === 0) return null
  let rest = part * total
  for (const key of keys) {
    rest -= Number(histogram[key])
    if (rest <= 0) return Math.round(bucketMs(Number(key)))
  }
  return null
}

/** The shortest time in a bucket, whole ms. */
const bucketStart = (key: number): number => Math.ceil(Math.exp((key - 0.5) * base))

/** The bucket start nearest to `ms`, so that a band that ends there has whole buckets. */
export const bandEnd = (ms: number): number => bucketStart(Math.round(Math.log(ms) / base + 0.5))

/** @param ends upper ends of the bands, ascending, from `bandEnd`; one more band lies above the last */
export function toBands(histogram: Histogram, ends: readonly number[]): number[] {
  const buckets = Object.entries(histogram).map(([key, count]) => ({
    start: bucketStart(Number(key)),
    count: Number(count),
  }))
  return [...ends, Number.POSITIVE_INFINITY].map((end, at) =>
    buckets.reduce((sum, { start, count }) => (start < end && start >= (ends[at - 1] ?? 0) ? sum + count : sum), 0),
  )
}
