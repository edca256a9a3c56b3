import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { longestSorted, PendingRequestLog, RequestLog, RequestLogSummary } from '#schemas/request-logs.ts'
import { resolveRange } from '#schemas/time-range.ts'
import { send } from '#web/lib/api.ts'
import { jsonQuery, briefly } from '#web/lib/queries/json-query.ts'
import { requestLogsPath as path } from '#web/lib/queries/request-logs.ts'
import { linkOfAccount } from '#web/lib/session/tab-account.ts'
import { gatewayNow } from '#web/lib/browser/gateway-clock.ts'
import { apiFilters } from '#web/lib/log-filters/filter-errors.ts'
import { filterParams, listParams } from '#web/lib/log-filters/log-params.ts'
import type { LogSearch } from '#web/lib/log-filters/log-search.ts'

export const pageSize = 20

/** The server limits the offset. */
const maxOffset = 10_000_000

export type LogPage = {
  rows: RequestLogSummary[]
  /** Number of rows that can be listed. */
  total: number
  /** Whether more rows match. */
  isCut: boolean
  /** Number of requests; one row can count several. */
  requests: number
  /** Whether the number of requests is a lower bound. */
  isAtLeast: boolean
  page: number
  completeUntil: string | null
  /** Older requests were searched for whole words only. */
  searchedFrom: string | null
  /** Set if the range begins earlier: older requests are deleted. */
  keptFrom: string | null
}

/** `null` if the range begins later. @param keptFrom older logs are deleted */
export function cutAt(search: LogSearch, keptFrom: string | null): string | null {
  const { from } = resolveRange(apiFilters(search).data ?? {}, gatewayNow())
  return keptFrom && from !== undefined && from < Date.parse(keptFrom) ? keptFrom : null
}

async function fetchPage(search: LogSearch, requestedPage: number, signal: AbortSignal): Promise<LogPage> {
  const params = listParams(search)
  const maxPage = (params.has('sort') ? longestSorted : maxOffset) / pageSize
  const page = Math.min(requestedPage, maxPage)
  params.set('limit', String(pageSize))
  params.set('offset', String((page - 1) * pageSize))
  const response = await send('GET', `${path}?${params.toString()}`, { signal })
  const rows = z.array(RequestLogSummary).parse(await response.json())
  const matching = Number(response.headers.get('x-total-count') ?? rows.length)
  const isAtLeast = response.headers.get('x-total-is-at-least') === 'true'
  const total = Math.min(matching, maxPage * pageSize)
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  // A page past the end shows the last one. Source: product.md 10.10.
  if (rows.length === 0 && total > 0 && page > lastPage) return fetchPage(search, lastPage, signal)
  return {
    rows,
    total,
    isCut: isAtLeast || total < matching,
    requests: Number(response.headers.get('x-total-requests') ?? matching),
    isAtLeast,
    page,
    completeUntil: response.headers.get('x-complete-until'),
    searchedFrom: response.headers.get('x-searched-from'),
    keptFrom: cutAt(search, response.headers.get('x-available-from')),
  }
}

/** One page of the history. A shown page never goes stale (product.md 9.8); a page left behind is dropped soon. */
export function logsPageQuery(shown: LogSearch) {
  const { log: _1, ignored: _2, live: _3, view: _4, columns: _5, tables: _6, ...search } = shown
  return queryOptions({
    queryKey: [path, 'page', search],
    queryFn: ({ signal }) => fetchPage(search, search.page ?? 1, signal),
    ...briefly,
  })
}

/** A log with its details, or a notice that it is not stored yet. */
const LogDetails = z.union([RequestLog, PendingRequestLog])
export type LogDetails = z.infer<typeof LogDetails>

export const storedLog = (details: LogDetails | undefined): RequestLog | undefined =>
  details && !('pending' in details) ? details : undefined

/**
 * Polls until the log is stored. Has its own key, because a finished request doesn't change when the list is refreshed.
 */
export const requestLogQuery = (id: string) =>
  queryOptions({
    ...jsonQuery(LogDetails, `${path}/${id}`, [`${path}/{id}`, id]),
    staleTime: ({ state }) => (storedLog(state.data) ? Infinity : 0),
    refetchInterval: ({ state }) => (state.data && !storedLog(state.data) ? 1_000 : false),
  })

export type ExportKind = { format: 'csv' | 'jsonl' | 'parquet'; bom?: 'true' }

export function exportUrl(search: LogSearch, kind: ExportKind) {
  const params = filterParams(search)
  if (search.sort === 'oldest') params.set('order', 'asc')
  for (const [name, value] of Object.entries(kind)) params.set(name, value)
  return linkOfAccount(`${path}/export?${params.toString()}`)
}

export const tailUrl = (search: LogSearch) => linkOfAccount(`${path}/tail?${filterParams(search).toString()}`)
