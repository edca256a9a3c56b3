import { queryOptions } from '@tanstack/react-query'
import { Changes } from '#schemas/analytics-changes.ts'
import { ErrorGroups } from '#schemas/analytics-errors.ts'
import { jsonQuery, briefly } from '#web/lib/queries/json-query.ts'
import { filterParams } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { analyticsPath } from '../analytics-queries.ts'
import type { Comparison } from './comparison.ts'

export function errorGroupsQuery(filters: LogSearch) {
  const params = filterParams(filters)
  return queryOptions({
    ...jsonQuery(ErrorGroups, `${analyticsPath}/errors?${params.toString()}`, [analyticsPath, 'errors', filters]),
    ...briefly,
  })
}

export function changesQuery({ from, to, measure, against }: Comparison, filters: LogSearch) {
  const params = filterParams({ ...filters, range: undefined, from, to })
  params.set('measure', measure)
  params.set('against', against)
  return queryOptions({
    ...jsonQuery(Changes, `${analyticsPath}/changes?${params.toString()}`, [
      analyticsPath,
      'changes',
      params.toString(),
    ]),
    ...briefly,
  })
}
