import { queryOptions } from '@tanstack/react-query'
import { Analytics, AnalyticsGroups, type GroupBy } from '#schemas/analytics.ts'
import { jsonQuery, briefly } from '#web/lib/queries/json-query.ts'
import { filterParams } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

/** The first part of the keys of all queries of measured numbers. */
export const analyticsPath = '/api/analytics'

export function analyticsQuery(filters: LogSearch) {
  const params = filterParams(filters)
  return queryOptions({
    ...jsonQuery(Analytics, `${analyticsPath}?${params.toString()}`, [analyticsPath, filters]),
    ...briefly,
  })
}

export function groupsQuery(filters: LogSearch, groupBy: GroupBy) {
  const params = filterParams(filters)
  params.set('groupBy', groupBy)
  return queryOptions({
    ...jsonQuery(AnalyticsGroups, `${analyticsPath}/groups?${params.toString()}`, [
      analyticsPath,
      'groups',
      filters,
      groupBy,
    ]),
    ...briefly,
  })
}
