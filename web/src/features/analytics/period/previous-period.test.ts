import { expect, it } from 'vitest'
import { rangeBefore, stepsBefore } from './previous-period.ts'

const range = {
  from: '2026-11-20T12:00:00.000Z',
  to: '2026-11-20T15:00:00.000Z',
  step: '1h',
  availableFrom: '2026-11-20T10:00:00.000Z',
} as const
const times = [12, 13, 14].map((hour) => Date.UTC(2026, 10, 20, hour))

it('has the same length and ends where the current one begins', () => {
  expect(rangeBefore(range)).toEqual({ from: '2026-11-20T09:00:00.000Z', to: '2026-11-20T12:00:00.000Z' })
})

it('aligns with the current steps', () => {
  const eleven = { at: '2026-11-20T11:00:00.000Z', requests: 7 }
  expect(stepsBefore(times, range, [eleven])).toEqual([undefined, null, eleven])
})

it('ignores items outside the range', () => {
  const noon = { at: '2026-11-20T12:00:00.000Z' }
  expect(stepsBefore(times, range, [noon])).toEqual([undefined, null, null])
  expect(stepsBefore([], range, [noon])).toEqual([])
})
