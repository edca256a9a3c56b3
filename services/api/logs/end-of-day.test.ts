import { expect, test } from 'vitest'
import { endOfDay } from './end-of-day.ts'

test.each([
  ['UTC', '2026-03-08', '2026-03-08T23:59:59.999Z'],
  ['America/New_York', '2026-03-07', '2026-03-08T04:59:59.999Z'],
  // The clocks go forward, so this day has 23 hours.
  ['America/New_York', '2026-03-08', '2026-03-09T03:59:59.999Z'],
  ['Asia/Tokyo', '2026-03-08', '2026-03-08T14:59:59.999Z'],
  // Midnight does not exist here; the day ends where the next one starts.
  ['America/Santiago', '2026-09-05', '2026-09-06T03:59:59.999Z'],
])('in %s the day %s ends at %s', (timezone, date, end) => {
  expect(endOfDay(date, timezone).toISOString()).toBe(end)
})
