/** The ranges of Analytics. Source: product.md 11.1. */
export const timeRanges = ['24h', '7d', '30d', '90d'] as const
export type TimeRange = (typeof timeRanges)[number]

/** The ranges of Request Logs. */
export const logRanges = ['1h', ...timeRanges] as const
export type LogRange = (typeof logRanges)[number]

export const rangeLabels = {
  '1h': 'Last hour',
  '24h': 'Last 24h',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
} satisfies Record<LogRange, string>

export const rangeDays = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } satisfies Record<TimeRange, number>
