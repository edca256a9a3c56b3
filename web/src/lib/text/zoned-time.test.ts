import { expect, it } from 'vitest'
import { fromLocalInput, hourOfDay, startOfDay, toLocalInput } from './zoned-time.ts'

it.each([
  ['2026-01-15T12:30', 'UTC', '2026-01-15T12:30:00.000Z'],
  ['2026-01-15T12:30', 'Asia/Tokyo', '2026-01-15T03:30:00.000Z'],
  ['2026-07-15T12:30', 'America/New_York', '2026-07-15T16:30:00.000Z'],
  ['2026-01-15T12:30', 'Asia/Kolkata', '2026-01-15T07:00:00.000Z'],
  // The clocks go back in Paris: 02:30 happens twice.
  ['2026-10-25T02:30', 'Europe/Paris', '2026-10-25T00:30:00.000Z'],
])('%s in %s is %s', (wall, zone, iso) => {
  expect(fromLocalInput(wall, zone)).toBe(iso)
  expect(toLocalInput(iso, zone)).toBe(wall)
})

it('takes an hour that does not exist', () => {
  expect(fromLocalInput('2026-03-29T02:30', 'Europe/Paris')).toBe('2026-03-29T01:30:00.000Z')
})

it('rejects what is no time', () => expect(fromLocalInput('', 'UTC')).toBeUndefined())

it('finds days and hours of a zone', () => {
  const at = Date.parse('2026-11-20T20:00:00Z')
  expect(new Date(startOfDay(at, 'Asia/Tokyo')).toISOString()).toBe('2026-11-20T15:00:00.000Z')
  expect(new Date(startOfDay(at, 'UTC', -7)).toISOString()).toBe('2026-11-13T00:00:00.000Z')
  expect(hourOfDay(at, 'Asia/Tokyo')).toBe(5)
})
