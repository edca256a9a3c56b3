import { expect, it } from 'vitest'
import { spreadLabels } from './spread-labels.ts'
import { xTicks } from './x-ticks.ts'

it('leaves labels with room where they are', () => expect(spreadLabels([10, 50], 12, 100)).toEqual([10, 50]))
it('moves labels apart', () => expect(spreadLabels([50, 50, 10], 12, 100)).toEqual([50, 62, 10]))
it('stays inside', () => expect(spreadLabels([99, 98], 12, 100)).toEqual([100, 88]))

it('spreads ticks and keeps the last value', () => {
  expect(xTicks([0, 1, 2, 3, 4, 5, 6, 7], 4)).toEqual([1, 3, 5, 7])
  expect(xTicks([5], 6)).toEqual([5])
})
