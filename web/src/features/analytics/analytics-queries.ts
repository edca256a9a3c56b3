import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { Analytics, Stats } from '#schemas/analytics.ts'
import { RequestLogSummary } from '#schemas/request-logs.ts'
import { fetchJson } from '#web/lib/api.ts'
import type { MeasuredRange } from './analytics-search.ts'
import type { TimeRange } from '#web/lib/time-ranges.ts'

/** Source: specification §9, "Counts". */
export const estimateLimit = 1_000

/** What the estimates are made of. Source: specification §7, `GET /api/logs`. */
export const estimateLogsQuery = (timeRange: TimeRange) =>
  queryOptions({
    queryKey: ['/api/logs', { limit: estimateLimit, timeRange }],
    queryFn: ({ signal }) =>
      fetchJson(z.array(RequestLogSummary), 'GET', `/api/logs?limit=${estimateLimit}&timeRange=${timeRange}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })

/** All requests of the range, to tell how many of them the estimates know. Source: specification §7, `GET /api/stats`. */
export const rangeStatsQuery = (timeRange: TimeRange) =>
  queryOptions({
    queryKey: ['/api/stats', { timeRange }],
    queryFn: ({ signal }) => fetchJson(Stats, 'GET', `/api/stats?timeRange=${timeRange}`, { signal }),
    gcTime: 15_000,
  })

/** A whole range, whatever the number of requests in it. */
export function analyticsQuery(range: MeasuredRange) {
  const params = new URLSearchParams('range' in range ? { timeRange: range.range } : range)
  return queryOptions({
    queryKey: ['/api/analytics', range],
    queryFn: ({ signal }) => fetchJson(Analytics, 'GET', `/api/analytics?${params.toString()}`, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })
}
