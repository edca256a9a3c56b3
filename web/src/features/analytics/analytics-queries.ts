import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { Analytics, AnalyticsGroups, type GroupBy } from '#schemas/analytics.ts'
import { fetchJson } from '#web/lib/api.ts'
import { filterParams } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

const shared = { placeholderData: keepPreviousData, gcTime: 15_000 }

export function analyticsQuery(filters: LogSearch) {
  const params = filterParams(filters)
  return queryOptions({
    queryKey: ['/api/analytics', filters],
    queryFn: ({ signal }) => fetchJson(Analytics, 'GET', `/api/analytics?${params.toString()}`, { signal }),
    ...shared,
  })
}

export function groupsQuery(filters: LogSearch, groupBy: GroupBy) {
  const params = filterParams(filters)
  params.set('groupBy', groupBy)
  return queryOptions({
    queryKey: ['/api/analytics/groups', filters, groupBy],
    queryFn: ({ signal }) =>
      fetchJson(AnalyticsGroups, 'GET', `/api/analytics/groups?${params.toString()}`, { signal }),
    ...shared,
  })
}
