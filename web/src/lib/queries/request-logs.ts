import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { RequestLogSummary } from '#schemas/request-logs.ts'
import { gatewayNow } from '#web/lib/browser/gateway-clock.ts'
import { fetchJson, nullIfUnauthorized } from '../api.ts'
import { briefly } from './json-query.ts'
import type { TimeRange } from '../time-ranges.ts'

export const requestLogsPath = '/api/logs'

/** The number of requests in logs, of which some represent several. */
export const countRequests = (logs: readonly Pick<RequestLogSummary, 'requestCount'>[]) =>
  logs.reduce((sum, { requestCount }) => sum + requestCount, 0)

const fetchLogs = (params: string, signal: AbortSignal) =>
  fetchJson(z.array(RequestLogSummary), 'GET', `${requestLogsPath}?${params}`, { signal })

/** In ms. Source: product.md 9.8, 10.3, 10.10. */
const recent = { limit: 5, pollMs: 3_000 }
const first = { pollMs: 2_000 }

export const recentLogsQuery = queryOptions({
  queryKey: [requestLogsPath, { limit: recent.limit }],
  queryFn: ({ signal }) => fetchLogs(`limit=${recent.limit}`, signal),
  refetchInterval: recent.pollMs,
  refetchIntervalInBackground: true,
})

/** The first request of a new token; `null` until it is logged. */
export const firstLogQuery = (tokenId: string) =>
  queryOptions({
    queryKey: [requestLogsPath, { first: tokenId }],
    queryFn: async ({ signal }) => (await fetchLogs(`token=${tokenId}&order=asc&limit=1`, signal))[0] ?? null,
    refetchInterval: ({ state }) => (state.data ? false : first.pollMs),
    // Requests are sent from a terminal, with this page in the background.
    refetchIntervalInBackground: true,
  })

/** Source: product.md 11.1. */
export const estimateLimit = 1_000

/** The logs that the estimates are computed from, and when they were read, ms; `null` without a session. */
export const estimateLogsQuery = (timeRange: TimeRange) =>
  queryOptions({
    queryKey: [requestLogsPath, { limit: estimateLimit, timeRange }],
    queryFn: async ({ signal }) => {
      const logs = await nullIfUnauthorized(fetchLogs(`limit=${estimateLimit}&timeRange=${timeRange}`, signal))
      return logs && { logs, readAt: gatewayNow() }
    },
    ...briefly,
  })
