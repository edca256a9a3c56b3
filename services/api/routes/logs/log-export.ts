import { z } from 'zod'
import { RequestLogExportQuery } from '#schemas/request-logs.ts'
import { exportLogs, type LogExportSource } from '../../logs/log-export.ts'
import { signedInRoutes } from '../../plugins/session.ts'
import { type ExportOptions, sendExport } from '../../send-export.ts'

interface LogExportRouteOptions extends LogExportSource {
  exports: ExportOptions
}

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
} as const

/** Matching logs as a file. The number of downloads is limited, because clients set their pace. */
export const logExportRoutes = signedInRoutes<LogExportRouteOptions>(async (app, { exports, ...source }) => {
  app.get(
    '/api/logs/export',
    {
      schema: {
        summary: 'Export request logs as a file',
        description:
          'To resume an interrupted download, send the id of its last row as `cursor`: CSV and JSONL continue without a ' +
          'header, Parquet starts a new file. A Parquet file can only be read when it is complete, so export a long ' +
          'history in several files of `limit` rows. Durations are in ms, costs in nano-USD (1e-9 USD).',
        querystring: RequestLogExportQuery,
        produces: Object.values(mediaTypes),
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const { user, query } = request
      sendExport(request, reply, exports, {
        name: `request-logs-${new Date().toISOString().slice(0, 10)}.${query.format}`,
        mediaType: mediaTypes[query.format],
        parts: exportLogs(source, user.id, query),
      })
      return reply
    },
  )
})
