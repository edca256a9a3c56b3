import { queryOptions } from '@tanstack/react-query'
import { Stats } from '#schemas/analytics.ts'
import { fetchJson } from '../api.ts'
import type { TimeRange } from '../time-ranges.ts'

export const statsPath = '/api/stats'

/** Source: product.md 9.8. */
const pollMs = 5_000

export const statsQuery = queryOptions({
  queryKey: [statsPath],
  queryFn: ({ signal }) => fetchJson(Stats, 'GET', statsPath, { signal }),
  refetchInterval: pollMs,
  refetchIntervalInBackground: true,
})

/** All requests of a range. Source: product.md 8.10. */
export const rangeStatsQuery = (timeRange: TimeRange) =>
  queryOptions({
    queryKey: [statsPath, { timeRange }],
    queryFn: ({ signal }) => fetchJson(Stats, 'GET', `${statsPath}?timeRange=${timeRange}`, { signal }),
    gcTime: 15_000,
  })
