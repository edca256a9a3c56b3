import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { Analytics } from '#schemas/analytics.ts'
import { fetchJson } from '#web/lib/api.ts'
import type { MeasuredRange } from './analytics-search.ts'

export function analyticsQuery(range: MeasuredRange) {
  const params = new URLSearchParams('range' in range ? { timeRange: range.range } : range)
  return queryOptions({
    queryKey: ['/api/analytics', range],
    queryFn: ({ signal }) => fetchJson(Analytics, 'GET', `/api/analytics?${params.toString()}`, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })
}
