import { Changes } from '#schemas/analytics-changes.ts'
import { ErrorGroups } from '#schemas/analytics-errors.ts'
import { Analytics, AnalyticsGroups, type GroupBy } from '#schemas/analytics.ts'
import { paramsQuery } from '#web/lib/queries/json-query.ts'
import { filterParams } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import type { Comparison } from './why/comparison.ts'

/** The first part of the keys of all queries of measured numbers. */
export const analyticsPath = '/api/analytics'

export const analyticsQuery = (filters: LogSearch) => paramsQuery(Analytics, analyticsPath, '', filterParams(filters))

export function groupsQuery(filters: LogSearch, groupBy: GroupBy) {
  const params = filterParams(filters)
  params.set('groupBy', groupBy)
  return paramsQuery(AnalyticsGroups, analyticsPath, '/groups', params)
}

export const errorGroupsQuery = (filters: LogSearch) =>
  paramsQuery(ErrorGroups, analyticsPath, '/errors', filterParams(filters))

export function changesQuery({ from, to, measure, against }: Comparison, filters: LogSearch) {
  const params = filterParams({ ...filters, range: undefined, from, to })
  params.set('measure', measure)
  params.set('against', against)
  return paramsQuery(Changes, analyticsPath, '/changes', params)
}
