import { isoTime } from '#core/period.ts'
import { day } from '#core/units.ts'
import { Changes, ChangesQuery } from '#schemas/analytics-changes.ts'
import { ErrorGroups } from '#schemas/analytics-errors.ts'
import { RequestLogFilters } from '#schemas/request-logs.ts'
import { resolveClosedRange } from '#schemas/time-range.ts'
import type { ChangeStore } from '#store/clickhouse/analytics/changes.ts'
import type { ErrorGroupStore } from '#store/clickhouse/analytics/error-groups.ts'
import type { RequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface AnalyticsReasonsOptions {
  errorGroups: ErrorGroupStore
  changes: ChangeStore
  logs: Pick<RequestLogStore, 'availableFrom'>
}

/** Why requests failed, and what changed. Source: product.md 11.11, 11.12. */
export const analyticsReasonsRoutes = signedInRoutes<AnalyticsReasonsOptions>(async (app, options) => {
  const { errorGroups, changes, logs } = options

  app.get(
    '/api/analytics/errors',
    {
      schema: {
        summary: 'Group errors by code and message pattern',
        description: 'Without a time range: the last 7 days.',
        querystring: RequestLogFilters,
        response: { 200: ErrorGroups },
      },
    },
    ({ user, query }) => {
      const availableFrom = logs.availableFrom()
      const { from, to } = resolveClosedRange(query, Date.now())
      return errorGroups.read(user.id, query, { from: beginWithin(availableFrom, from, to), to, availableFrom })
    },
  )

  app.get(
    '/api/analytics/changes',
    {
      schema: {
        summary: 'Compare a time range with the time before it',
        description:
          'Finds the models, tokens and other values that contribute most to the difference. Durations are in ms, costs in nano-USD (1e-9 USD).',
        querystring: ChangesQuery,
        response: { 200: Changes },
      },
    },
    async ({ user, query }) => {
      const availableFrom = logs.availableFrom()
      const start = Date.parse(query.from)
      // Time that has not passed has no requests yet, so none are expected of it.
      const to = Math.max(start + 1, Math.min(Date.parse(query.to), Date.now()))
      const from = beginWithin(availableFrom, start, to)
      const before = from - (query.against === 'day' ? day : to - from)
      const beforeFrom = beginWithin(availableFrom, before, from)
      const found = await changes.read(user.id, query, { beforeFrom, from, to })
      return { ...found, availableFrom: isoTime(availableFrom) }
    },
  )
})

/** The start of a time range, cut to what is still available but never empty. */
const beginWithin = (availableFrom: number, from: number, to: number) => Math.max(from, Math.min(availableFrom, to - 1))
