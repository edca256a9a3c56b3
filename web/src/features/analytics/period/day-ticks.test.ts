import { expect, it } from 'vitest'
import { dayTicks } from './day-ticks.ts'

const hour = 3_600_000
const hours = (from: string, count: number) =>
  Array.from({ length: count }, (_, index) => Date.parse(from) + index * hour)
const days = (ticks: number[]) => ticks.map((at) => new Date(at).toISOString().slice(5, 16))

it('names each day once, where it begins', () => {
  expect(days(dayTicks(hours('2026-11-18T15:00:00Z', 48), 'UTC'))).toEqual(['11-19T00:00', '11-20T00:00'])
})

it('follows the zone', () => {
  expect(days(dayTicks(hours('2026-11-18T15:00:00Z', 30), 'Asia/Tokyo'))).toEqual(['11-18T15:00', '11-19T15:00'])
})
