import { useNavigate } from '@tanstack/react-router'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

/** Opens the request logs with the filters of the screen and those of what was clicked, which take precedence. */
export function useOpenLogs(filters: LogSearch = {}) {
  const navigate = useNavigate()
  return (clicked: LogSearch) => void navigate({ to: '/request-logs', search: mergeFilters(filters, clicked) })
}

/** A clicked value is no longer excluded; a clicked tag is added to those of other keys. */
export function mergeFilters({ range: _range, ...filters }: LogSearch, clicked: LogSearch): LogSearch {
  const tags = clicked.tag?.map(keyOf) ?? []
  const replaced = new Set([...Object.keys(clicked), ...tags.map((key) => `tag:${key}`)])
  const not = filters.not
    ?.split(',')
    .filter((name) => !replaced.has(name))
    .join(',')
  const tag = [...(filters.tag ?? []).filter((text) => !tags.includes(keyOf(text))), ...(clicked.tag ?? [])]
  const { not: _not, tag: _tag, ...rest } = { ...filters, ...clicked }
  return { ...rest, ...(not && { not }), ...(tag.length > 0 && { tag }) }
}

const keyOf = (tag: string) => tag.slice(0, tag.indexOf(':'))
