import { isoTime } from '#core/period.ts'
import { day } from '#core/units.ts'
import {
  Analytics,
  AnalyticsGroups,
  AnalyticsGroupsQuery,
  AnalyticsQuery,
  Stats,
  StatsQuery,
} from '#schemas/analytics.ts'
import type { RequestLogFilters } from '#schemas/request-logs.ts'
import { resolveClosedRange, resolveRange } from '#schemas/time-range.ts'
import type { AnalyticsRange, AnalyticsStore } from '#store/clickhouse/analytics/analytics.ts'
import type { PreferencesStore } from '#store/postgres/preferences.ts'
import type { UsageStore } from '#store/clickhouse/usage.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface AnalyticsRouteOptions {
  analytics: AnalyticsStore
  usage: UsageStore
  preferences: Pick<PreferencesStore, 'get'>
  ingestWatermark: () => Promise<string | null>
  rollupRetentionDays: number
}

const analyticsText =
  'Without a time range: the last 7 days. Without `timezone`: the one in the account’s preferences. Durations are in ' +
  'ms, costs in nano-USD (1e-9 USD). Requests that ended after `completeUntil` may still be missing.'

/** Totals and charts. Source: product.md 11.1, 8.10. */
export const analyticsRoutes = signedInRoutes<AnalyticsRouteOptions>(async (app, options) => {
  const { analytics, usage, preferences, ingestWatermark, rollupRetentionDays } = options

  async function rangeOf(
    accountId: string,
    query: RequestLogFilters & { timezone?: string | undefined },
  ): Promise<AnalyticsRange> {
    const range = resolveClosedRange(query, Date.now())
    const { timezone = (await preferences.get(accountId)).timezone, ...filters } = query
    return { ...range, timezone, filters }
  }

  async function withWatermark<Result>(reading: Promise<Result>) {
    const [result, completeUntil] = await Promise.all([reading, ingestWatermark()])
    return { ...result, completeUntil }
  }

  app.get(
    '/api/stats',
    {
      schema: {
        summary: 'Get the number of requests, success rate and average response time',
        description: 'Without a time range: all time. The rate is in percent, the time in ms.',
        querystring: StatsQuery,
        response: { 200: Stats },
      },
    },
    async ({ user, query }): Promise<Stats> => {
      const now = Date.now()
      const range = resolveRange(query, now)
      const stats = await usage.stats(user.id, range)
      const isAllTime = range.from === undefined && range.to === undefined
      return isAllTime ? stats : { ...stats, availableFrom: isoTime(now - rollupRetentionDays * day) }
    },
  )

  app.get(
    '/api/analytics',
    {
      schema: {
        summary: 'Get totals, time series and breakdowns of requests',
        description: analyticsText,
        querystring: AnalyticsQuery,
        response: { 200: Analytics },
      },
    },
    async ({ user, query }) => withWatermark(analytics.read(user.id, await rangeOf(user.id, query))),
  )

  app.get(
    '/api/analytics/groups',
    {
      schema: {
        summary: 'Get totals and time series of requests, grouped by one property',
        description: analyticsText,
        querystring: AnalyticsGroupsQuery,
        response: { 200: AnalyticsGroups },
      },
    },
    async ({ user, query: { groupBy, ...query } }) =>
      withWatermark(analytics.readGroups(user.id, await rangeOf(user.id, query), groupBy)),
  )
})
