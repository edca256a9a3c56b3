import { Analytics, AnalyticsGroups, type GroupBy } from '#schemas/analytics.ts'
import { paramsQuery } from '#web/lib/queries/json-query.ts'
import { filterParams } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

/** The first part of the keys of all queries of measured numbers. */
export const analyticsPath = '/api/analytics'

export const analyticsQuery = (filters: LogSearch) => paramsQuery(Analytics, analyticsPath, '', filterParams(filters))

export function groupsQuery(filters: LogSearch, groupBy: GroupBy) {
  const params = filterParams(filters)
  params.set('groupBy', groupBy)
  return paramsQuery(AnalyticsGroups, analyticsPath, '/groups', params)
}
