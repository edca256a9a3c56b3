import { expect, it } from 'vitest'
import { formatAmount, formatNanoUsd, formatNanoUsdColumn } from './cost-text.ts'

it.each([
  [0, '$0.0000', '$0.000000'],
  [499, '<$0.000001', '<$0.000001'],
  [500, '$0.000001', '$0.000001'],
  [1_250_000, '$0.00125', '$0.001250'],
])('shows a cost of %d nano-USD as %s, in a column as %s', (nano, alone, inColumn) =>
  expect([formatNanoUsd(nano), formatNanoUsdColumn(nano)]).toEqual([alone, inColumn]),
)

it.each([
  [0, '$0.00'],
  [0.8 - 0.6 - 0.2, '$0.00'],
  [0.000_000_3, '<$0.000001'],
  [0.000_03, '$0.00003'],
  [4.2, '$4.20'],
  [1_000_000, '$1,000,000.00'],
])('shows an amount of %d USD as %s', (usd, expected) => expect(formatAmount(usd)).toBe(expected))
