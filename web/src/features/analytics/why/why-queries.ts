import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { Changes } from '#schemas/analytics-changes.ts'
import { ErrorGroups } from '#schemas/analytics-errors.ts'
import { fetchJson } from '#web/lib/api.ts'
import type { MeasuredRange } from '../analytics-search.ts'
import type { Comparison } from './comparison.ts'

export function errorGroupsQuery(range: MeasuredRange) {
  const params = new URLSearchParams('range' in range ? { timeRange: range.range } : range)
  return queryOptions({
    queryKey: ['/api/analytics/errors', range],
    queryFn: ({ signal }) => fetchJson(ErrorGroups, 'GET', `/api/analytics/errors?${params.toString()}`, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })
}

export function changesQuery(comparison: Comparison) {
  const params = new URLSearchParams(comparison)
  return queryOptions({
    queryKey: ['/api/analytics/changes', comparison],
    queryFn: ({ signal }) => fetchJson(Changes, 'GET', `/api/analytics/changes?${params.toString()}`, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })
}
