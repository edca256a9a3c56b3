import type { FairQueue } from '#core/limits/fair-queue.ts'
import { type RequestLogExportQuery, RequestLogSummary } from '#schemas/request-logs.ts'
import type { RequestLogStore } from '#store/clickhouse/request-logs.ts'
import { toCsv } from './csv.ts'

const pageSize = 2_000

const columns = RequestLogSummary.keyof().options

/**
 * The filtered history, page by page, so that memory does not grow with its length. To resume a broken download, pass
 * the id of its last whole row as `cursor`; the heading is not repeated.
 */
export async function* exportLogs(
  { logs, reads }: { logs: Pick<RequestLogStore, 'list'>; reads: FairQueue },
  accountId: string,
  { format, ...filters }: RequestLogExportQuery,
): AsyncGenerator<string> {
  const toText = format === 'csv' ? toCsvRows : toJsonLines
  if (format === 'csv' && !filters.cursor) yield toCsv([columns])
  for (let cursor = filters.cursor; ;) {
    const at = cursor
    const page = await reads.run(accountId, () =>
      logs.list(accountId, { ...filters, limit: pageSize, offset: 0, cursor: at }),
    )
    if (page.length > 0) yield toText(page)
    cursor = page.at(-1)?.id
    if (page.length < pageSize) return
  }
}

const toCsvRows = (page: RequestLogSummary[]) => toCsv(page.map((log) => columns.map((column) => log[column])))

const toJsonLines = (page: RequestLogSummary[]) =>
  page.map((log) => `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, log[column]])))}\n`).join('')
