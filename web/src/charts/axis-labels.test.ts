import { expect, it } from 'vitest'
import { apartFromNext, highest, spreadLabels, xTicks } from './axis-labels.ts'

it.each([
  ['leaves labels with enough room in place', [10, 50], [10, 50]],
  ['moves labels apart', [50, 50, 10], [50, 62, 10]],
  ['stays within the height', [99, 98], [100, 88]],
])('%s', (_, positions, expected) => expect(spreadLabels(positions, 12, 100)).toEqual(expected))

it.each([
  [[], 1],
  [[0, null], 1],
  [[0.002, null, 0.001], 0.002],
])('the axis of %j ends at %d, so that small values are not flat', (values, top) =>
  expect(highest([{ values }])).toBe(top),
)

it('spaces ticks evenly and keeps the last value', () => {
  expect(xTicks([0, 1, 2, 3, 4, 5, 6, 7], 4)).toEqual([1, 3, 5, 7])
  expect(xTicks([5], 6)).toEqual([5])
})

it('drops a label that would touch the next one', () => {
  const labels = [{ x: 42 }, { x: 115 }, { x: 250 }]
  expect(apartFromNext(labels, 84)).toEqual([{ x: 115 }, { x: 250 }])
})
