import { expect, test } from 'vitest'
import { day, hour, minute, second } from '#core/units.ts'
import { histogramSteps } from './histogram-steps.ts'

const from = Date.UTC(2026, 10, 20, 9, 7, 3, 250)

test.each([
  [59 * second, second],
  [hour, minute],
  [day, 15 * minute],
  [7 * day, 2 * hour],
  [30 * day, 12 * hour],
  [90 * day, day],
  [1_000 * day, 30 * day],
])('a range of %d ms has steps of %d ms', (span, length) => {
  for (const timezone of ['UTC', 'Asia/Kathmandu', 'America/New_York']) {
    const steps = histogramSteps(from, from + span, timezone)
    expect(steps.length).toBe(length)
    expect(steps.starts.length).toBeLessThanOrEqual(120)
    expect(steps.starts[0]).toBe(from)
    expect(steps.starts).toEqual(steps.starts.toSorted((one, other) => one - other))
    expect(steps.starts.at(-1)).toBeLessThan(from + span)
  }
})

test('steps begin at midnight of the timezone, on the day of 25 hours too', () => {
  const begin = Date.parse('2026-10-31T12:00:00-04:00')
  const { starts } = histogramSteps(begin, begin + 90 * day, 'America/New_York')
  expect(starts.slice(1, 4).map((at) => new Date(at).toISOString())).toEqual([
    '2026-11-01T04:00:00.000Z',
    '2026-11-02T05:00:00.000Z',
    '2026-11-03T05:00:00.000Z',
  ])
})

test('an empty range has no more than its start', () =>
  expect(histogramSteps(from, from, 'UTC').starts).toEqual([from]))
