import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { RequestLog, RequestLogSummary } from '#schemas/request-logs.ts'
import { fetchJson } from '#web/lib/api.ts'

const path = '/api/logs'
/** Source: specification §9, "Counts" and "Intervals and delays", ms. */
const recent = { limit: 5, pollMs: 3_000 }

export const recentLogsQuery = queryOptions({
  queryKey: [path, { limit: recent.limit }],
  queryFn: ({ signal }) => fetchJson(z.array(RequestLogSummary), 'GET', `${path}?limit=${recent.limit}`, { signal }),
  refetchInterval: recent.pollMs,
  refetchIntervalInBackground: true,
})

/** Under a key of its own: a finished request doesn't change when the list is refreshed. */
export const requestLogQuery = (id: string) =>
  queryOptions({
    queryKey: [`${path}/{id}`, id],
    queryFn: ({ signal }) => fetchJson(RequestLog, 'GET', `${path}/${id}`, { signal }),
  })
