import { Readable } from 'node:stream'
import { z } from 'zod'
import type { FairQueue } from '#core/limits/fair-queue.ts'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { RequestLogExportQuery } from '#schemas/request-logs.ts'
import type { RequestLogStore } from '#store/clickhouse/request-logs.ts'
import { exportLogs } from '../logs/log-export.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface LogExportRouteOptions {
  logs: RequestLogStore
  /** Queue for the query of each page. */
  reads: FairQueue
  limit: SharedLimit
}

const mediaTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const

/** Matching logs as a file. The client sets the pace of a download, so their number is limited. */
export const logExportRoutes = signedInRoutes<LogExportRouteOptions>(async (app, { logs, reads, limit }) => {
  app.get(
    '/api/logs/export',
    { schema: { querystring: RequestLogExportQuery, response: { 200: z.string() } } },
    async ({ user, query }, reply) => {
      limit.take(user.id)
      reply.raw.once('close', () => limit.release(user.id))
      const name = `request-logs-${new Date().toISOString().slice(0, 10)}.${query.format}`
      return reply
        .type(mediaTypes[query.format])
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(exportLogs({ logs, reads }, user.id, query), { objectMode: false }) as unknown as string)
    },
  )
})
