import { setImmediate } from 'node:timers/promises'
import type { FairQueue } from '#core/limits/fair-queue.ts'
import type { RequestLogExportQuery } from '#schemas/request-logs.ts'
import type { RequestLogStore } from '#store/clickhouse/logs/request-logs.ts'
import type { CredentialNames } from '#store/postgres/credentials/credential-names.ts'
import { toCsv } from './csv.ts'
import { columns, type ExportedLog, toExportedLog } from './exported-log.ts'

const pageSize = 2_000

/** After this many rows, the event loop serves other requests before the export continues. */
const rowsInTurn = 250

const byteOrderMark = '\uFEFF'

export interface LogExportSource {
  logs: Pick<RequestLogStore, 'find' | 'list'>
  credentialNames: (accountId: string) => Promise<CredentialNames>
  /** Queue for the query of each page. */
  reads: FairQueue
}

/**
 * Matching logs as a file, page by page to limit memory. With the id of the last complete row as `cursor`, CSV
 * continues without a second header row, and Parquet begins a new file.
 */
export async function* exportLogs(
  source: LogExportSource,
  accountId: string,
  { format, bom, ...query }: RequestLogExportQuery,
): AsyncGenerator<string | Uint8Array> {
  const pages = readPages(source, accountId, query)
  if (format === 'parquet') return yield* (await import('./parquet.ts')).toParquet(pages)
  if (format === 'csv' && !query.cursor) yield (bom === 'true' ? byteOrderMark : '') + toCsv([columns])
  const toText = format === 'csv' ? toCsvRows : toJsonLines
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += rowsInTurn) {
      if (at > 0) await setImmediate()
      yield toText(page.slice(at, at + rowsInTurn))
    }
  }
}

async function* readPages(
  { logs, credentialNames, reads }: LogExportSource,
  accountId: string,
  { limit: left = Number.POSITIVE_INFINITY, cursor, ...filters }: Omit<RequestLogExportQuery, 'format' | 'bom'>,
): AsyncGenerator<ExportedLog[]> {
  const names = await credentialNames(accountId)
  // Once, because a range such as the last 24 hours would move on with each page.
  const matches = await reads.run(accountId, () => logs.find(accountId, filters))
  while (left > 0) {
    const limit = Math.min(pageSize, left)
    const page = await reads.run(accountId, () =>
      logs.list(accountId, { ...filters, limit, offset: 0, cursor }, matches),
    )
    if (page.length > 0) yield page.map((log) => toExportedLog(log, names))
    if (page.length < limit) return
    left -= limit
    cursor = page.at(-1)?.id
  }
}

const toCsvRows = (page: ExportedLog[]) => toCsv(page.map((log) => columns.map((column) => log[column])))

const toJsonLines = (page: ExportedLog[]) =>
  page.map((log) => `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, log[column]])))}\n`).join('')
