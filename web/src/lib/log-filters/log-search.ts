import { z } from 'zod'
import { type FilterParameter, filterParameters } from '#schemas/log-names.ts'
import { RequestOutcome } from '#schemas/request-outcome.ts'
import { day } from '#schemas/time-range.ts'
import { readSearch, searchText } from '#web/lib/search-params.ts'
import { logRanges } from '#web/lib/time-ranges.ts'

export const statusLabels = { success: 'Success (2xx)', error: 'Error (4xx/5xx)', failed: 'Failed' } as const

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

const duration = z.number().int().min(0).max(day)

/** `none`: requests without a token or key. */
const idOrNone = z.union([z.literal('none'), z.uuid()])

/** The state of the screen in its URL; a missing parameter has its default. */
export const filterShape = {
  search: searchText(200),
  /** Searches for parts of words; the server requires a time range with it. */
  mode: z.literal('substring'),
  status: z.enum(['all', 'success', 'error', 'failed']),
  method: z.enum(['all', ...methods]),
  range: z.enum(logRanges),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  model: searchText(200),
  endpoint: searchText(500),
  token: idOrNone,
  key: idOrNone,
  statusCode: z.number().int().min(0).max(999),
  minTime: duration,
  maxTime: duration,
  outcome: RequestOutcome,
  errorCode: searchText(128),
  cache: z.enum(['hit', 'miss', 'none']),
  retried: z.enum(['true', 'false']),
  cost: z.enum(['known', 'unknown']),
  tag: z.array(z.string().max(330)).max(20),
  not: searchText(200),
} satisfies Record<FilterParameter, z.ZodType>
const shape = {
  ...filterShape,
  page: z.number().int().min(1).max(1_000_000_000),
  sort: z.enum(['newest', 'oldest']),
  live: z.boolean(),
  log: z.uuid(),
}

export type LogSearch = ReturnType<typeof readLogSearch>

const firstRow = ['search', 'status', 'method'] as const
export type MoreFilter = Exclude<FilterParameter, (typeof firstRow)[number]>

export const readLogSearch = (raw: Record<string, unknown>) => readSearch(shape, raw)

export const filterNames = Object.values(filterParameters)

/** Filters outside the first row. */
export const moreFilterNames = filterNames.filter(
  (name): name is MoreFilter => !firstRow.some((first) => first === name),
)

const defaults: Record<string, unknown> = { status: 'all', method: 'all', page: 1, sort: 'newest', live: false }

/** Applies a change; drops defaults and the notice about ignored parameters, keeps the page (product.md 10.10). */
export function changeSearch(search: LogSearch, change: Partial<LogSearch>): LogSearch {
  const next = Object.entries({ ...search, ignored: undefined, ...change })
  return Object.fromEntries(
    next.filter(([name, value]) => value !== undefined && value !== '' && value !== defaults[name]),
  )
}

export const isFiltered = (search: LogSearch) =>
  filterNames.some((name) => changeSearch(search, {})[name] !== undefined)

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
  return params
}

/** Adds the sort order; newest first is the server's default. */
export function listParams(search: LogSearch): URLSearchParams {
  const params = filterParams(search)
  if (search.sort === 'oldest') params.set('order', 'asc')
  return params
}
