import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { z } from 'zod'
import { AuditEntry, AuditQuery } from '#schemas/audit.ts'
import type { AuditEntryRow, AuditStore } from '#store/postgres/audit.ts'
import { signedInRoutes } from '../plugins/session.ts'

export const auditRoutes = signedInRoutes<{ audit: AuditStore }>(async (app, { audit }) => {
  app.get(
    '/api/user/audit',
    {
      schema: {
        summary: 'List the audit trail of the account, newest first',
        querystring: AuditQuery,
        response: { 200: z.array(AuditEntry) },
      },
    },
    async ({ user, query }) => (await audit.list(user.id, query)).map(toAuditEntry),
  )

  app.get(
    '/api/user/audit/export',
    {
      schema: {
        summary: 'Export the audit trail of the account as CSV',
        produces: ['text/csv'],
        response: { 200: z.any() },
      },
    },
    async ({ user }, reply) => {
      const rows = Readable.from(audit.stream(user.id)).map(toAuditEntry)
      // The option prefixes cells with an apostrophe, so that spreadsheets don't run them as formulas.
      const csv = stringify({
        header: true,
        columns: ['createdAt', 'action', 'subject', 'clientAddress', 'userAgent', 'id'],
        escape_formulas: true,
        record_delimiter: 'windows',
      })
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="sallyport-audit.csv"')
        .send(rows.on('error', (error) => csv.destroy(error)).pipe(csv))
    },
  )
})

const toAuditEntry = ({ createdAt, ...entry }: AuditEntryRow): AuditEntry => ({
  ...entry,
  createdAt: createdAt.toISOString(),
})
