import { z } from 'zod'
import { isoTime } from '#core/period.ts'
import { minute } from '#core/units.ts'
import { Problem } from '#core/problem.ts'
import { PendingRequestLog, RequestLog, RequestLogQuery, RequestLogSummary } from '#schemas/request-logs.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import type { LogMatches } from '#store/clickhouse/logs/log-matches.ts'
import type { LogCount, RequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { IdParams } from '../id-params.ts'
import { signedInRoutes } from '../../plugins/session.ts'

type RequestLogRouteOptions = { logs: RequestLogStore; ingestWatermark: () => Promise<string | null> }

/** Every request is stored within this time, so an older id without a log does not exist. */
const pendingMs = 10 * minute
const clockSkewMs = minute

/** Offsets up to this one are cheap. */
const farOffset = 10_000

/**
 * A page far past the end would be expensive to query. The end of a search is unknown if its total is a lower bound:
 * then only one for parts of words, whose matches come from two queries and have to be sorted, ends at its total.
 */
const isPastEnd = (offset: number, { total, isAtLeast }: LogCount, { partsFrom }: LogMatches): boolean =>
  offset >= total && (!isAtLeast || partsFrom !== undefined)

/** Source: product.md 8.9. */
export const requestLogRoutes = signedInRoutes<RequestLogRouteOptions>(async (app, { logs, ingestWatermark }) => {
  app.get(
    '/api/logs',
    {
      schema: {
        summary: 'List request logs',
        description:
          'Durations are in ms, costs in nano-USD (1e-9 USD). Response headers: `x-total-count`, the number of matching ' +
          'logs, or a lower bound if `x-total-is-at-least` is `true`; `x-total-requests`, the number of requests that ' +
          'they represent; `x-next-cursor`, the `cursor` of the next page if sorted by time; `x-available-from`: older ' +
          'logs are deleted; `x-complete-until`: requests that ended later may still be missing.',
        querystring: RequestLogQuery,
        response: { 200: z.array(RequestLogSummary) },
      },
    },
    async ({ user, query }, reply) => {
      const matches = await logs.find(user.id, query)
      const counting = logs.count(user.id, query, matches)
      const isBeyond = query.offset > farOffset && isPastEnd(query.offset, await counting, matches)
      const [rows, count, until] = await Promise.all([
        isBeyond ? [] : logs.list(user.id, query, matches),
        counting,
        ingestWatermark(),
      ])
      reply.header('x-total-count', count.total)
      reply.header('x-total-requests', count.requests)
      if (count.isAtLeast) reply.header('x-total-is-at-least', 'true')
      reply.header('x-available-from', isoTime(logs.availableFrom()))
      if (matches.partsFrom) reply.header('x-searched-from', isoTime(matches.partsFrom))
      if (until) reply.header('x-complete-until', until)
      const last = query.sort === 'time' && rows.length === query.limit ? rows.at(-1) : undefined
      if (last) reply.header('x-next-cursor', last.id)
      return rows
    },
  )

  app.get(
    '/api/logs/:id',
    {
      schema: {
        summary: 'Get a request log',
        description: '202: it is not stored yet. Try again in a moment.',
        params: IdParams,
        response: { 200: RequestLog, 202: PendingRequestLog },
      },
    },
    async ({ user, params: { id } }, reply) => {
      const log = await logs.get(user.id, id)
      if (log) return log
      const age = Date.now() - uuidTimeMs(id)
      const isRecent = age < pendingMs && age > -clockSkewMs
      if (!isRecent || (await logs.exists(id))) throw new Problem('not-found')
      reply.code(202)
      return { id, pending: true as const }
    },
  )
})
