import type { FairQueue } from '#core/limits/fair-queue.ts'
import { type RequestLogExportQuery, RequestLogSummary } from '#schemas/request-logs.ts'
import type { RequestLogStore } from '#store/clickhouse/request-logs.ts'
import { toCsv } from './csv.ts'

const pageSize = 2_000

const columns = RequestLogSummary.keyof().options

/**
 * Matching logs, page by page to bound memory. A broken download resumes with the id of its last complete row as
 * `cursor`, without a second header row.
 */
export async function* exportLogs(
  { logs, reads }: { logs: Pick<RequestLogStore, 'list'>; reads: FairQueue },
  accountId: string,
  { format, ...filters }: RequestLogExportQuery,
): AsyncGenerator<string> {
  const toText = format === 'csv' ? toCsvRows : toJsonLines
  if (format === 'csv' && !filters.cursor) yield toCsv([columns])
  const readPage = (cursor: string | undefined) =>
    reads.run(accountId, () => logs.list(accountId, { ...filters, limit: pageSize, offset: 0, cursor }))
  let page: RequestLogSummary[] = []
  do {
    page = await readPage(page.at(-1)?.id ?? filters.cursor)
    if (page.length > 0) yield toText(page)
  } while (page.length === pageSize)
}

const toCsvRows = (page: RequestLogSummary[]) => toCsv(page.map((log) => columns.map((column) => log[column])))

const toJsonLines = (page: RequestLogSummary[]) =>
  page.map((log) => `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, log[column]])))}\n`).join('')
