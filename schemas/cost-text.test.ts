import { expect, it } from 'vitest'
import { formatNanoUsd, formatNanoUsdColumn } from './cost-text.ts'

it.each([
  [0, '$0.0000', '$0.000000'],
  [499, '<$0.000001', '<$0.000001'],
  [500, '$0.000001', '$0.000001'],
  [1_250_000, '$0.00125', '$0.001250'],
])('shows a cost of %d nano-USD as %s, in a column as %s', (nano, alone, inColumn) =>
  expect([formatNanoUsd(nano), formatNanoUsdColumn(nano)]).toEqual([alone, inColumn]),
)
