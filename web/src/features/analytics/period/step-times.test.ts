import { expect, it } from 'vitest'
import { fillSteps } from './step-times.ts'

const range = { from: '2026-11-20T00:07:00.000Z', to: '2026-11-20T05:00:00.000Z', step: '1h' } as const

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

it('keeps to days whose length changes', () => {
  const days = ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z', '2026-10-27T23:00:00.000Z']
  const steps = fillSteps(
    days.map((at) => ({ at })),
    { from: '2026-10-24T22:00:00.000Z', to: '2026-10-28T12:00:00.000Z', step: '1d' },
  )
  expect(steps.map(({ item }) => item !== null)).toEqual([true, true, false, true])
})

it('has steps without any request', () => expect(fillSteps([], range)).toHaveLength(5))
