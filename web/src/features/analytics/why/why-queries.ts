import { Changes } from '#schemas/analytics-changes.ts'
import { ErrorGroups } from '#schemas/analytics-errors.ts'
import { paramsQuery } from '#web/lib/queries/json-query.ts'
import { filterParams } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { analyticsPath } from '../analytics-queries.ts'
import type { Comparison } from './comparison.ts'

export const errorGroupsQuery = (filters: LogSearch) =>
  paramsQuery(ErrorGroups, analyticsPath, '/errors', filterParams(filters))

export function changesQuery({ from, to, measure, against }: Comparison, filters: LogSearch) {
  const params = filterParams({ ...filters, range: undefined, from, to })
  params.set('measure', measure)
  params.set('against', against)
  return paramsQuery(Changes, analyticsPath, '/changes', params)
}
