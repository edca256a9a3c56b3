import type { Change, Changes } from '#schemas/analytics-changes.ts'
import { type ValueField, valueFilter } from '#web/lib/log-filters/filter-values.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'
import { countedFilters } from '../use-open-logs.ts'

/** The filters of the Request Logs screen that find the requests of a change, among those that the screen shows. */
export function changeSearch(change: Change, changes: Changes, filters: LogSearch): LogSearch {
  const { from, to, measure, slowAbove } = changes
  return {
    from,
    to,
    ...(measure === 'errors' && countedFilters({ status: 'failed' }, filters)),
    ...(measure === 'slow' && slowAbove !== null && { minTime: slowAbove + 1 }),
    ...valueFilter(fieldOf(change), change.value),
  }
}

export function fieldOf({ dimension, tag }: Change): ValueField {
  if (dimension === 'tag') return `tag:${tag}`
  return dimension === 'status' ? 'statusCode' : dimension
}
