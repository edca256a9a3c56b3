import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Stats } from '#schemas/analytics.ts'
import { RequestLog, RequestLogQuery, RequestLogSummary } from '#schemas/request-logs.ts'
import { Problem } from '#core/problem.ts'
import type { RequestLogStore } from '#store/request-logs.ts'
import type { UsageStore } from '#store/usage.ts'
import { IdParams } from './id-params.ts'

interface RequestLogRouteOptions {
  logs: RequestLogStore
  usage: UsageStore
}

/** The history and its totals. Source: specification §7. */
export const requestLogRoutes: FastifyPluginAsyncZod<RequestLogRouteOptions> = async (app, { logs, usage }) => {
  app.get(
    '/api/logs',
    { schema: { querystring: RequestLogQuery, response: { 200: z.array(RequestLogSummary) } } },
    async ({ user, query }, reply) => {
      const [rows, total] = await Promise.all([logs.list(user.id, query), logs.count(user.id)])
      return reply.header('x-total-count', total).send(rows)
    },
  )

  app.get(
    '/api/logs/:id',
    { schema: { params: IdParams, response: { 200: RequestLog } } },
    async ({ user, params }) => {
      const log = await logs.get(user.id, params.id)
      if (!log) throw new Problem('not-found')
      return log
    },
  )

  app.get('/api/stats', { schema: { response: { 200: Stats } } }, ({ user }) => usage.stats(user.id))
}
