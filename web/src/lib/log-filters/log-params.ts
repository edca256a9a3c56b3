import { type FilterParameter, filterParameters } from '#schemas/log-names.ts'
import { changeSearch, type LogOrder, type LogSearch } from './log-search.ts'

const firstRow = ['search', 'status', 'method'] as const
export type MoreFilter = Exclude<FilterParameter, (typeof firstRow)[number]>

export const filterNames = Object.values(filterParameters)

/** Filters outside the first row. */
export const moreFilterNames = filterNames.filter(
  (name): name is MoreFilter => !firstRow.some((first) => first === name),
)

export const isFiltered = (search: LogSearch) =>
  filterNames.some((name) => changeSearch(search, {})[name] !== undefined)

/** `sort` and `order` of the API. */
const apiOrders = {
  newest: ['time', 'desc'],
  oldest: ['time', 'asc'],
  slowest: ['responseTime', 'desc'],
  fastest: ['responseTime', 'asc'],
  mostTokens: ['tokens', 'desc'],
  fewestTokens: ['tokens', 'asc'],
  costliest: ['cost', 'desc'],
  cheapest: ['cost', 'asc'],
} as const satisfies Record<LogOrder, readonly [string, 'asc' | 'desc']>

/** Query of the `/api/logs` endpoints, without paging. */
export function filterParams(search: LogSearch): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, parameter] of Object.entries(filterParameters)) {
    const value = search[parameter]
    if (value === undefined || value === 'all') continue
    // A custom range takes precedence over a preset: the server accepts only one of them.
    if (parameter === 'range' && (search.from ?? search.to)) continue
    if (Array.isArray(value)) for (const each of value) params.append(name, each)
    else params.set(name, String(value))
  }
  if (search.search && !search.mode) params.set('searchMode', 'parts')
  return params
}

/** Adds the order; newest first is the server's default. */
export function listParams(search: LogSearch): URLSearchParams {
  const params = filterParams(search)
  const [sort, order] = apiOrders[search.sort ?? 'newest']
  if (sort !== 'time') params.set('sort', sort)
  if (order === 'asc') params.set('order', order)
  return params
}
