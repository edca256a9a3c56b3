import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { z } from 'zod'
import { AuditEntry, AuditQuery } from '#schemas/audit.ts'
import type { AuditEntryRow, AuditStore } from '#store/postgres/audit.ts'
import { signedInRoutes } from '../plugins/session.ts'

interface AuditRouteOptions {
  audit: AuditStore
}

/** What was done to an account, when and from where. */
export const auditRoutes = signedInRoutes<AuditRouteOptions>(async (app, { audit }) => {
  app.get(
    '/api/user/audit',
    {
      schema: {
        summary: 'What was done to the account',
        querystring: AuditQuery,
        response: { 200: z.array(AuditEntry) },
      },
    },
    async ({ user, query }) => (await audit.list(user.id, query)).map(toAuditEntry),
  )

  app.get(
    '/api/user/audit/export',
    { schema: { summary: 'The same as CSV', produces: ['text/csv'], response: { 200: z.any() } } },
    async ({ user }, reply) => {
      const rows = Readable.from(audit.stream(user.id)).map(toAuditEntry)
      // An apostrophe keeps spreadsheets from running a cell as a formula.
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
