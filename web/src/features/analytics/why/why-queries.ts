import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { Changes } from '#schemas/analytics-changes.ts'
import { ErrorGroups } from '#schemas/analytics-errors.ts'
import { fetchJson } from '#web/lib/api.ts'
import { filterParams } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import type { Comparison } from './comparison.ts'

export function errorGroupsQuery(filters: LogSearch) {
  const params = filterParams(filters)
  return queryOptions({
    queryKey: ['/api/analytics/errors', filters],
    queryFn: ({ signal }) => fetchJson(ErrorGroups, 'GET', `/api/analytics/errors?${params.toString()}`, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })
}

export function changesQuery({ from, to, measure, against }: Comparison, filters: LogSearch) {
  const params = filterParams({ ...filters, range: undefined, from, to })
  params.set('measure', measure)
  params.set('against', against)
  return queryOptions({
    queryKey: ['/api/analytics/changes', params.toString()],
    queryFn: ({ signal }) => fetchJson(Changes, 'GET', `/api/analytics/changes?${params.toString()}`, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })
}
