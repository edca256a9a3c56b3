import type { AlertFilters } from '#schemas/alerts.ts'
import { apiFilters } from '#web/lib/log-filters/filter-errors.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

/** The filters of an alert on the numbers that are shown: all but search and range. */
export function alertFilters(search: LogSearch): AlertFilters | undefined {
  const parsed = apiFilters(search).data
  if (!parsed) return undefined
  const { search: _search, searchMode: _mode, timeRange: _range, from: _from, to: _to, ...filters } = parsed
  return filters
}
