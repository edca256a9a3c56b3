import type { Change, Changes } from '#schemas/analytics-changes.ts'
import { type ValueField, valueFilter } from '#web/lib/log-filters/filter-values.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

/** The filters of the Request Logs screen that find the requests of a change. */
export function changeSearch(change: Change, { from, to, measure, slowAbove }: Changes): LogSearch {
  return {
    from,
    to,
    ...(measure === 'errors' && { status: 'failed' as const }),
    ...(measure === 'slow' && slowAbove !== null && { minTime: slowAbove + 1 }),
    ...valueFilter(fieldOf(change), change.value),
  }
}

function fieldOf({ dimension, tag }: Change): ValueField {
  if (dimension === 'tag') return `tag:${tag}`
  return dimension === 'status' ? 'statusCode' : dimension
}
