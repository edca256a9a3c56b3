/** Counts by `round(log(ms) / log(1.1))`, as the rollups keep them; JSON gives the keys as text. */
export type Histogram = Record<string, number>

const base = Math.log(1.1)

/** The middle of a bucket, ms. */
const bucketMs = (key: number): number => Math.exp(key * base)

export function mergeHistograms(histograms: Iterable<Histogram>): Histogram {
  const merged: Histogram = {}
  for (const histogram of histograms) {
    for (const [key, count] of Object.entries(histogram)) merged[key] = (merged[key] ?? 0) + Number(count)
  }
  return merged
}

/** @returns ms, within 5 %; `null` without any value */
export function percentile(histogram: Histogram, part: number): number | null {
  // Integer keys of an object are iterated in ascending order.
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

/** @param bounds upper ends of bands, ms, rising; one more band takes what is above the last */
export function toBands(histogram: Histogram, bounds: readonly number[]): number[] {
  const bands = Array.from({ length: bounds.length + 1 }, () => 0)
  for (const [key, count] of Object.entries(histogram)) {
    const ms = bucketMs(Number(key))
    const band = bounds.findIndex((bound) => ms < bound)
    bands[band === -1 ? bounds.length : band]! += Number(count)
  }
  return bands
}
