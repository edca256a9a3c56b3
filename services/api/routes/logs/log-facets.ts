import { AnalyticsQuery } from '#schemas/analytics.ts'
import { LogHistogram } from '#schemas/log-histogram.ts'
import { LogValues, LogValuesQuery } from '#schemas/log-values.ts'
import type { LogHistogramStore } from '#store/clickhouse/logs/log-histogram.ts'
import type { LogValuesStore } from '#store/clickhouse/logs/log-values.ts'
import type { PreferencesStore } from '#store/postgres/preferences.ts'
import { signedInRoutes } from '../../plugins/session.ts'

interface LogFacetRouteOptions {
  histogram: LogHistogramStore
  values: LogValuesStore
  preferences: Pick<PreferencesStore, 'get'>
}

/** Values and counts of the matching logs. Source: product.md 8.16. */
export const logFacetRoutes = signedInRoutes<LogFacetRouteOptions>(async (app, { histogram, values, preferences }) => {
  app.get(
    '/api/logs/histogram',
    {
      schema: {
        summary: 'Count matching requests and errors over time',
        querystring: AnalyticsQuery,
        response: { 200: LogHistogram },
      },
    },
    async ({ user, query: { timezone, ...filters } }) =>
      histogram.read(user.id, filters, timezone ?? (await preferences.get(user.id)).timezone),
  )

  app.get(
    '/api/logs/values',
    {
      schema: {
        summary: 'Count matching requests by the values of fields',
        description: 'The filter of a counted field is ignored, so that its other values are counted too.',
        querystring: LogValuesQuery,
        response: { 200: LogValues },
      },
    },
    ({ user, query: { fields, ...filters } }) => values.read(user.id, filters, fields),
  )
})
