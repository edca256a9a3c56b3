import { expect, it, test } from 'vitest'
import { dayTicks, fillSteps, stepRange, stepsRange } from './step-times.ts'

const range = { from: '2026-11-20T00:07:00.000Z', to: '2026-11-20T05:00:00.000Z', step: '1h', timezone: 'UTC' } as const

it('fills the steps without requests', () => {
  const steps = fillSteps([{ at: '2026-11-20T02:00:00.000Z' }], range)
  expect(steps.map(({ at, item }) => [new Date(at).toISOString().slice(11, 16), item !== null])).toEqual([
    ['00:00', false],
    ['01:00', false],
    ['02:00', true],
    ['03:00', false],
    ['04:00', false],
  ])
})

it('assigns days of 23 or 25 hours to their step, and begins days without requests at midnight', () => {
  const days = ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z', '2026-10-27T23:00:00.000Z']
  const steps = fillSteps(
    days.map((at) => ({ at })),
    { from: '2026-10-24T22:00:00.000Z', to: '2026-10-28T12:00:00.000Z', step: '1d', timezone: 'Europe/Berlin' },
  )
  expect(steps.map(({ at, item }) => [new Date(at).toISOString(), item !== null])).toEqual([
    [days[0], true],
    [days[1], true],
    ['2026-10-26T23:00:00.000Z', false],
    [days[2], true],
  ])
})

it('begins days before the first one with requests at midnight, too', () => {
  const days = ['2026-10-24T22:00', '2026-10-25T23:00', '2026-10-26T23:00'].map((at) => Date.parse(`${at}Z`))
  const steps = fillSteps([{ at: '2026-10-26T23:00:00.000Z' }], {
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-27T22:00:00.000Z',
    step: '1d',
    timezone: 'Europe/Berlin',
  })
  expect(steps.map(({ at }) => at)).toEqual(days)
})

it('keeps the last day of a range in which a day has 23 hours', () => {
  const days = ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'].map((at) => ({ at }))
  const spring = { from: days[0]!.at, to: '2026-03-29T22:30:00.000Z', step: '1d', timezone: 'Europe/Berlin' } as const
  expect(fillSteps(days, spring).map(({ item }) => item)).toEqual(days)
})

it('keeps the last hour of a range in which the clocks change by half an hour', () => {
  const hours = ['2026-04-04T13:00:00.000Z', '2026-04-05T16:30:00.000Z'].map((at) => ({ at }))
  const autumn = { ...range, from: hours[0]!.at, to: '2026-04-05T16:45:00.000Z', timezone: 'Australia/Lord_Howe' }
  expect(fillSteps(hours, autumn).flatMap(({ item }) => item ?? [])).toEqual(hours)
})

it('has steps even without requests', () => expect(fillSteps([], range)).toHaveLength(5))

test.each<[Parameters<typeof stepRange>[1]['step'], string, string, string]>([
  ['1h', '2026-10-21T10:00:00.000Z', '2026-10-21T10:07:00.000Z', '2026-10-21T11:00:00.000Z'],
  ['1h', '2026-10-21T11:00:00.000Z', '2026-10-21T11:00:00.000Z', '2026-10-21T12:00:00.000Z'],
  ['6h', '2026-10-24T22:00:00.000Z', '2026-10-24T22:00:00.000Z', '2026-10-25T05:00:00.000Z'],
  ['1d', '2026-10-24T22:00:00.000Z', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['1d', '2026-10-26T23:00:00.000Z', '2026-10-26T23:00:00.000Z', '2026-10-27T12:00:00.000Z'],
])('a step of %s at %s is from %s to %s, within the range and the days of the zone', (step, at, from, to) => {
  const period = { from: '2026-10-21T10:07:00.000Z', to: '2026-10-27T12:00:00.000Z', timezone: 'Europe/Berlin' }
  expect(stepRange(Date.parse(at), { ...period, step })).toEqual({ from, to })
})

it('takes whole days of 25 hours from one step to another, within the range', () => {
  const period = { from: '2026-10-24T10:07:00.000Z', to: '2026-10-27T12:00:00.000Z', timezone: 'Europe/Berlin' }
  const days = { ...period, step: '1d' } as const
  const [first, second, last] = ['2026-10-23T22:00Z', '2026-10-24T22:00Z', '2026-10-26T23:00Z'].map(Date.parse)
  expect(stepsRange(first!, second!, days)).toEqual({ from: period.from, to: '2026-10-25T23:00:00.000Z' })
  expect(stepsRange(second!, last!, days)).toEqual({ from: '2026-10-24T22:00:00.000Z', to: period.to })
})

const hour = 3_600_000
const hours = (from: string, count: number) =>
  Array.from({ length: count }, (_, index) => Date.parse(from) + index * hour)
const tickTexts = (ticks: number[]) => ticks.map((at) => new Date(at).toISOString().slice(5, 16))

it('marks the start of each day once', () => {
  expect(tickTexts(dayTicks(hours('2026-11-18T15:00:00Z', 48), 'UTC'))).toEqual(['11-19T00:00', '11-20T00:00'])
})

it('follows the zone', () => {
  expect(tickTexts(dayTicks(hours('2026-11-18T15:00:00Z', 30), 'Asia/Tokyo'))).toEqual(['11-18T15:00', '11-19T15:00'])
})
