import { queryOptions } from '@tanstack/react-query'
import { Stats } from '#schemas/analytics.ts'
import { jsonQuery } from './json-query.ts'
import type { TimeRange } from '../time-ranges.ts'

export const statsPath = '/api/stats'

/** Source: product.md 9.8. */
const pollMs = 5_000

export const statsQuery = queryOptions({
  ...jsonQuery(Stats, statsPath),
  refetchInterval: pollMs,
  refetchIntervalInBackground: true,
})

/** All requests of a range. Source: product.md 8.10. */
export const rangeStatsQuery = (timeRange: TimeRange) =>
  queryOptions({
    ...jsonQuery(Stats, `${statsPath}?timeRange=${timeRange}`, [statsPath, { timeRange }]),
    gcTime: 15_000,
  })
