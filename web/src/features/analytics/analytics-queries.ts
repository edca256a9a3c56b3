import { queryOptions } from '@tanstack/react-query'
import { Analytics, AnalyticsGroups, type GroupBy } from '#schemas/analytics.ts'
import { jsonQuery, briefly } from '#web/lib/queries/json-query.ts'
import { filterParams } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

export function analyticsQuery(filters: LogSearch) {
  const params = filterParams(filters)
  return queryOptions({
    ...jsonQuery(Analytics, `/api/analytics?${params.toString()}`, ['/api/analytics', filters]),
    ...briefly,
  })
}

export function groupsQuery(filters: LogSearch, groupBy: GroupBy) {
  const params = filterParams(filters)
  params.set('groupBy', groupBy)
  return queryOptions({
    ...jsonQuery(AnalyticsGroups, `/api/analytics/groups?${params.toString()}`, [
      '/api/analytics/groups',
      filters,
      groupBy,
    ]),
    ...briefly,
  })
}
