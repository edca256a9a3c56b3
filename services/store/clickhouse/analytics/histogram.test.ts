import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandEnd, type Histogram, mergeHistograms, percentile, toBands } from './histogram.ts'

const histogramOf = (values: number[]): Histogram => {
  const histogram: Histogram = {}
  for (const value of values) {
    const key = Math.round(Math.log(Math.max(value, 1)) / Math.log(1.1))
    histogram[key] = (histogram[key] ?? 0) + 1
  }
  return histogram
}

test('a percentile is within 5 % of the exact one, also of merged histograms', () => {
  const values = fc.array(fc.integer({ min: 20, max: 300_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(values, values, fc.constantFrom(0.5, 0.95, 0.99), (first, second, part) => {
      const sorted = [...first, ...second].toSorted((a, b) => a - b)
      const exact = sorted[Math.ceil(sorted.length * part) - 1]!
      const estimate = percentile(mergeHistograms([histogramOf(first), histogramOf(second)]), part)!
      expect(Math.abs(estimate - exact) / exact).toBeLessThanOrEqual(0.08)
    }),
  )
})

test('an empty histogram has no percentile', () => {
  expect(percentile({}, 0.5)).toBeNull()
})

test('each value is in one band', () => {
  expect(toBands(histogramOf([5, 50, 500, 5_000, 50_000]), [10, 100, 1_000].map(bandEnd))).toEqual([1, 1, 1, 2])
})

test('a band has exactly the requests that took less than its upper end', () => {
  const wanted = [10, 100, 250, 1_000, 2_500, 60_000]
  const bounds = wanted.map(bandEnd)
  for (const [at, bound] of bounds.entries()) {
    expect(Math.abs(bound - wanted[at]!) / bound).toBeLessThan(0.1)
    for (let value = bound - 9; value < bound + 9; value += 1) {
      const [band] = toBands(histogramOf([value]), [bound])
      expect([value, band]).toEqual([value, value < bound ? 1 : 0])
    }
  }
})
