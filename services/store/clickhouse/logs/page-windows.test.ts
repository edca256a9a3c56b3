import fc from 'fast-check'
import { expect, test } from 'vitest'
import { day } from '#core/units.ts'
import { pageWindows } from './page-windows.ts'

const time = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 11) })

test('every window begins where the order begins and is longer than the one before; the last one is the range', () => {
  fc.assert(
    fc.property(
      time,
      fc.integer({ min: 1, max: 400 * day }),
      time,
      fc.constantFrom('desc', 'asc'),
      (from, length, near, order) => {
        const range = { from, to: from + length }
        const windows = pageWindows(range, order, near)
        expect(windows.at(-1)).toEqual(range)
        for (const [at, window] of windows.entries()) {
          expect(order === 'desc' ? window.to : window.from).toBe(order === 'desc' ? range.to : range.from)
          const before = windows[at - 1]
          if (before) expect(window.to - window.from).toBeGreaterThan(before.to - before.from)
        }
      },
    ),
  )
})

test('the newest page is first searched in the last day', () => {
  const range = { from: 0, to: Date.UTC(2100) }
  expect(pageWindows(range, 'desc', 100 * day)).toEqual([
    { from: 99 * day, to: range.to },
    { from: 92 * day, to: range.to },
    range,
  ])
})
