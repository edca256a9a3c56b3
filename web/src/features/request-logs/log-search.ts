import { z } from 'zod'
import { RequestOutcome } from '#schemas/request-event.ts'
import { readSearch, searchText } from '#web/lib/search-params.ts'

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
export const timeRanges = ['1h', '24h', '7d', '30d', '90d'] as const

const duration = z.number().int().min(0).max(86_400_000)

/** What of the screen stands in its address; what is left out is at its default. */
const filters = {
  search: searchText(200),
  status: z.enum(['all', 'success', 'error']),
  method: z.enum(['all', ...methods]),
  range: z.enum(timeRanges),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  model: searchText(200),
  token: z.uuid(),
  key: z.uuid(),
  statusCode: z.number().int().min(0).max(999),
  minTime: duration,
  maxTime: duration,
  outcome: RequestOutcome,
}
const shape = {
  ...filters,
  page: z.number().int().min(1).max(1_000_000_000),
  sort: z.enum(['newest', 'oldest']),
  live: z.boolean(),
  log: z.uuid(),
}

export type LogSearch = ReturnType<typeof readLogSearch>
export type LogFilters = Pick<LogSearch, keyof typeof filters>

export const readLogSearch = (raw: Record<string, unknown>) => readSearch(shape, raw)

export const filterNames = Object.keys(filters) as (keyof LogFilters)[]

/** Filters that do not stand in the first row. */
export const moreFilterNames = filterNames.filter((name) => !['search', 'status', 'method'].includes(name))

const defaults: Record<string, unknown> = { status: 'all', method: 'all', page: 1, sort: 'newest', live: false }

/** A search with a change in it. Defaults and the notice of what was refused drop out; the page stays (§4). */
export function changeSearch(search: LogSearch, change: Partial<LogSearch>): LogSearch {
  const next = Object.entries({ ...search, ignored: undefined, ...change })
  return Object.fromEntries(
    next.filter(([name, value]) => value !== undefined && value !== '' && value !== defaults[name]),
  )
}

export const isFiltered = (search: LogSearch) =>
  filterNames.some((name) => changeSearch(search, {})[name] !== undefined)

/** Query of `/api/logs` and its relatives, without paging. */
export function filterParams(search: LogSearch): URLSearchParams {
  const params = new URLSearchParams()
  const names: Partial<Record<keyof LogFilters, string>> = {
    range: 'timeRange',
    minTime: 'minResponseTime',
    maxTime: 'maxResponseTime',
  }
  for (const name of filterNames) {
    const value = search[name]
    if (value === undefined || value === 'all') continue
    params.set(names[name] ?? name, String(value))
  }
  return params
}
