import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { RequestLogSummary } from '#schemas/request-logs.ts'
import { fetchJson, send } from '#web/lib/api.ts'
import { requestLogsPath as path } from '#web/lib/queries/request-logs.ts'
import { linkOfAccount } from '#web/lib/session/tab-account.ts'
import { LogDetails } from './details/log-details.ts'
import { filterParams, listParams, type LogSearch } from './filters/log-search.ts'

export const pageSize = 20

/** The server skips no more rows than that. */
const farthestPage = 10_000_000 / pageSize

export type LogPage = {
  rows: RequestLogSummary[]
  /** Rows to page through. */
  total: number
  /** What they stand for: some count several requests. */
  requests: number
  /** The store stopped counting there. */
  isAtLeast: boolean
  page: number
  completeUntil: string | null
}

async function fetchPage(search: LogSearch, wanted: number, signal: AbortSignal): Promise<LogPage> {
  const page = Math.min(wanted, farthestPage)
  const params = listParams(search)
  params.set('limit', String(pageSize))
  params.set('offset', String((page - 1) * pageSize))
  const response = await send('GET', `${path}?${params.toString()}`, { signal })
  const rows = z.array(RequestLogSummary).parse(await response.json())
  const total = Number(response.headers.get('x-total-count') ?? rows.length)
  const lastPage = Math.max(1, Math.min(Math.ceil(total / pageSize), farthestPage))
  // A page past the end shows the last one. Source: product.md 10.10.
  if (rows.length === 0 && total > 0 && page > lastPage) return fetchPage(search, lastPage, signal)
  return {
    rows,
    total,
    requests: Number(response.headers.get('x-total-requests') ?? total),
    isAtLeast: response.headers.get('x-total-is-at-least') === 'true',
    page,
    completeUntil: response.headers.get('x-complete-until'),
  }
}

/** One page of the history. What is on the screen never goes stale (product.md 9.8); a screen that is left is forgotten soon. */
export function logsPageQuery({ log: _log, ignored: _ignored, live: _live, ...search }: LogSearch) {
  return queryOptions({
    queryKey: [path, 'page', search],
    queryFn: ({ signal }) => fetchPage(search, search.page ?? 1, signal),
    placeholderData: keepPreviousData,
    gcTime: 15_000,
  })
}

/** Under a key of its own: a finished request doesn't change when the list is refreshed. */
export const requestLogQuery = (id: string) =>
  queryOptions({
    queryKey: [`${path}/{id}`, id],
    queryFn: ({ signal }) => fetchJson(LogDetails, 'GET', `${path}/${id}`, { signal }),
    // It is shown as on its way until it has arrived.
    refetchInterval: ({ state }) => (state.data && 'pending' in state.data ? 1_000 : false),
  })

export type ExportFormat = 'csv' | 'jsonl'

/** Address of a download of all that the filters let through. */
export function exportUrl(search: LogSearch, format: ExportFormat) {
  const params = listParams(search)
  params.set('format', format)
  return linkOfAccount(`${path}/export?${params.toString()}`)
}

export const tailUrl = (search: LogSearch) => linkOfAccount(`${path}/tail?${filterParams(search).toString()}`)
