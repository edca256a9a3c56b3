import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { AuditEntry, AuditQuery } from '#schemas/audit.ts'
import type { AuditEntryRow, AuditStore } from '#store/postgres/audit.ts'
import { signedInRoutes } from '../plugins/session.ts'
import { type ExportOptions, sendExport } from '../send-export.ts'

interface AuditRouteOptions {
  audit: AuditStore
  exports: ExportOptions
}

const exportedAtOnce = 500

export const auditRoutes = signedInRoutes<AuditRouteOptions>(async (app, { audit, exports }) => {
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
    async (request, reply) => {
      sendExport(request, reply, exports, {
        name: 'sallyport-audit.csv',
        mediaType: 'text/csv; charset=utf-8',
        parts: readCsv(audit, request.user.id),
      })
      return reply
    },
  )
})

/** Reads page by page, so that no connection to Postgres waits for the client. */
async function* readCsv(audit: AuditStore, accountId: string): AsyncGenerator<string> {
  let before: string | undefined
  do {
    const entries = await audit.list(accountId, { limit: exportedAtOnce, before })
    yield toCsv(entries.map(toAuditEntry), before === undefined)
    before = entries.length < exportedAtOnce ? undefined : entries.at(-1)?.id
  } while (before !== undefined)
}

const toCsv = (entries: AuditEntry[], header: boolean) =>
  stringify(entries, {
    header,
    columns: ['createdAt', 'action', 'subject', 'clientAddress', 'userAgent', 'id'],
    // Prefixes cells with an apostrophe, so that spreadsheets don't run them as formulas.
    escape_formulas: true,
    record_delimiter: 'windows',
  })

const toAuditEntry = ({ createdAt, ...entry }: AuditEntryRow): AuditEntry => ({
  ...entry,
  createdAt: createdAt.toISOString(),
})
