import { expect, test } from 'vitest'
import { mergeHistograms } from './histogram.ts'
import { type AlertSums, alertValue, noRequests, slidingValues } from './alert-values.ts'

const sums = (changes: Partial<AlertSums>): AlertSums => ({ groupValue: '', ...noRequests, ...changes })

test('values have the units of their measures, and what is unknown is null', () => {
  const some = sums({ requests: 8, failures: 2, costNanoUsd: 3_000_000_000, unpricedRequests: 1, times: { 50: 8 } })
  expect(alertValue('requests', some)).toBe(8)
  expect(alertValue('errorRate', some)).toBe(25)
  expect(alertValue('cost', some)).toBe(3)
  expect(alertValue('p95', some)).toBe(117)
  expect(alertValue('cost', { ...some, unpricedRequests: 8 })).toBeNull()
  expect((['requests', 'errorRate', 'cost', 'p95'] as const).map((measure) => alertValue(measure, noRequests))).toEqual(
    [0, null, 0, null],
  )
})

test('sliding windows have the values of windows that are added up anew', () => {
  const steps = Array.from({ length: 40 }, (_, at) =>
    at % 5 === 0
      ? undefined
      : sums({
          requests: at,
          failures: at % 7,
          costNanoUsd: at * 1_000_000_000,
          unpricedRequests: at % 3,
          times: { [40 + (at % 9)]: at - (at % 4), [90]: at % 4 },
        }),
  )
  for (const width of [1, 4, 13]) {
    for (const measure of ['requests', 'errorRate', 'cost', 'p95'] as const) {
      const expected = steps.slice(width - 1).map((_, at) => {
        const within = steps.slice(at, at + width).filter((step) => step !== undefined)
        const total = sums({ times: mergeHistograms(within.map(({ times = {} }) => times)) })
        for (const step of within) {
          for (const name of ['requests', 'failures', 'costNanoUsd', 'unpricedRequests'] as const)
            total[name] += step[name]
        }
        return alertValue(measure, total)
      })
      expect(slidingValues(measure, steps, width), `${measure} over ${width}`).toEqual(expected)
    }
  }
})
