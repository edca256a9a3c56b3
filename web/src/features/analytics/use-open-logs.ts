import { useNavigate } from '@tanstack/react-router'
import { chosenValues, isExcluded, tagField, valuesFilter } from '#web/lib/log-filters/filter-values.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

/** Opens the request logs with the screen's filters and those of the clicked item, which take precedence. */
export function useOpenLogs(filters: LogSearch = {}) {
  const navigate = useNavigate()
  return (clicked: LogSearch) => void navigate({ to: '/request-logs', search: mergeFilters(filters, clicked) })
}

/** A clicked field replaces its filter, excluded or not; a clicked tag is added to the tags with other keys. */
export function mergeFilters({ range: _range, ...filters }: LogSearch, clicked: LogSearch): LogSearch {
  const tags = clicked.tag?.map(tagField) ?? []
  const replaced = new Set([...Object.keys(clicked), ...tags])
  const kept = filters.not?.split(',').filter((name) => !replaced.has(name)) ?? []
  const not = [...kept, ...(clicked.not?.split(',') ?? [])].join(',')
  const tag = [...(filters.tag ?? []).filter((text) => !tags.includes(tagField(text))), ...(clicked.tag ?? [])]
  const { not: _not, tag: _tag, ...rest } = { ...filters, ...clicked }
  return { ...rest, ...(not && { not }), ...(tag.length > 0 && { tag }) }
}

/** Filters for the requests that a number counts, narrowed by the screen's filters. */
export function countedFilters(counted: LogSearch = {}, filters: LogSearch): LogSearch {
  const chosen = chosenValues(filters, 'outcome')
  const isNot = isExcluded(filters, 'outcome')
  const outcomes = chosenValues(counted, 'outcome').filter(
    (value) => chosen.length === 0 || chosen.includes(value) !== isNot,
  )
  return {
    ...counted,
    ...(counted.status && filters.status === 'error' && { status: 'error' }),
    ...(outcomes.length > 0 && valuesFilter('outcome', outcomes)),
  }
}
