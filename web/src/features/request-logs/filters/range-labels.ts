import type { timeRanges } from './log-search.ts'

export const rangeLabels = {
  '1h': 'Last hour',
  '24h': 'Last 24h',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
} satisfies Record<(typeof timeRanges)[number], string>
