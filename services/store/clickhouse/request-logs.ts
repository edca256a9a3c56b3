import { day, hour } from '#core/units.ts'
import type { ClickHouseClient } from '#core/resources.ts'
import { RequestLog, type RequestLogFilters, type RequestLogQuery, RequestLogSummary } from '#schemas/request-logs.ts'
import { resolveRange } from '#schemas/time-range.ts'
import { insertLines, selectRow, selectRows } from './clickhouse-rows.ts'
import { type Conditions, hasSearch, rowConditions, sharedConditions } from './log-filters.ts'
import { pageWindows } from './page-windows.ts'
import { rangePieces, usageLevels } from './range-pieces.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import { detailsColumns, logColumns, type RequestLogRows, selectFields } from './request-log-rows.ts'

/** Matches of a search are counted up to this limit, instead of reading the whole history. */
const countedMatches = 10_000

const maxSeconds = 5

/** Later than any log, and within the range of rollups. */
const forever = Date.UTC(2100)

/** Requests that took longer do not appear in the live tail. */
const tailReach = hour

export type LogPage = RequestLogFilters & Pick<RequestLogQuery, 'limit' | 'offset' | 'cursor' | 'order'>

interface LogCount {
  total: number
  /** A log can represent several requests. */
  requests: number
  /** Counting stopped at the limit. */
  isAtLeast: boolean
}

export type TailedLog = RequestLogSummary & { ingestedAtMs: number }

type JsonField = 'requestHeaders' | 'responseHeaders' | 'attemptLog' | 'responses'

export type RequestLogStore = ReturnType<typeof createRequestLogStore>

export const createRequestLogStore = (
  clickhouse: ClickHouseClient,
  { logRetentionDays, now = Date.now }: { logRetentionDays: number; now?: () => number },
) => {
  /** Start of the oldest day with all its logs, ms since 1970. */
  const availableFrom = () => Math.ceil((now() - logRetentionDays * day) / day) * day

  function rangeOf(filters: RequestLogFilters): { from: number; to: number } {
    const range = resolveRange(filters, now())
    return { from: Math.max(range.from ?? 0, availableFrom()), to: Math.min(range.to ?? forever, forever) }
  }

  function conditionsOf(accountId: string, filters: RequestLogFilters, { from, to } = rangeOf(filters)): Conditions {
    const [shared, row] = [sharedConditions(filters), rowConditions(filters)]
    const range = ['created_at >= fromUnixTimestamp64Milli({from: Int64})']
    if (to < forever) range.push('created_at < fromUnixTimestamp64Milli({to: Int64})')
    return {
      sql: ['account_id = {accountId: UUID}', ...range, ...shared.sql, ...row.sql],
      params: { accountId, from, to, ...shared.params, ...row.params },
    }
  }

  return {
    availableFrom,

    /**
     * Stores a group of batches. Repeating the same rows with the same token changes neither rows nor rollups.
     * Details are inserted first, so that a visible log is complete.
     */
    async insert(rows: readonly RequestLogRows[], deduplicationToken: string): Promise<void> {
      const [logs, details] = [rows.map((each) => each.logs), rows.map((each) => each.details)]
      await insertLines(clickhouse, 'request_details', detailsColumns, details, deduplicationToken)
      await insertLines(clickhouse, 'request_logs', logColumns, logs, deduplicationToken)
    },

    async isAnyStored(keys: readonly { accountId: string; id: string }[]): Promise<boolean> {
      const conditions = keys.map(
        (_key, at) => `(account_id = {account${at}: UUID}
        AND created_at = UUIDv7ToDateTime({id${at}: UUID}) AND id = {id${at}: UUID})`,
      )
      if (conditions.length === 0) return false
      const params = keys.flatMap(({ accountId, id }, at) => [
        [`account${at}`, accountId],
        [`id${at}`, id],
      ])
      const query = `SELECT 1 FROM request_logs WHERE ${conditions.join(' OR ')} LIMIT 1`
      return (await selectRows(clickhouse, query, Object.fromEntries(params))).length > 0
    },

    /** @returns a page; the id of its last row is the cursor of the next one */
    async list(accountId: string, page: LogPage): Promise<RequestLogSummary[]> {
      const range = rangeOf(page)
      const first = page.order === 'desc' ? now() : range.from
      const near = page.cursor ? uuidTimeMs(page.cursor) : first
      for (const window of pageWindows(range, page.order, near)) {
        const rows = await listWithin(accountId, page, window)
        if (rows.length === page.limit || (window.from <= range.from && window.to >= range.to)) return rows
      }
      return []
    },

    /** Counts from rollups where the filters allow it; the count of a search stops at `countedMatches`. */
    async count(accountId: string, filters: RequestLogFilters): Promise<LogCount> {
      if (rowConditions(filters).sql.length > 0) return countRows(accountId, filters)
      const { from, to } = rangeOf(filters)
      const shared = sharedConditions(filters)
      const pieces = rangePieces(from, to, usageLevels).map(({ table, ...piece }, at) => {
        const [column, sums] =
          table === 'request_logs'
            ? ['created_at', 'count() AS n, sum(request_count) AS r']
            : ['bucket', 'sum(log_rows) AS n, sum(requests) AS r']
        const time = (name: string) => bucketTime[table](`fromUnixTimestamp64Milli({${name}${at}: Int64}, 'UTC')`)
        const conditions = [`${column} >= ${time('from')}`, `${column} < ${time('to')}`, ...shared.sql]
        return {
          sql: `SELECT ${sums} FROM ${table} WHERE account_id = {accountId: UUID} AND ${conditions.join(' AND ')}`,
          params: { [`from${at}`]: piece.from, [`to${at}`]: piece.to },
        }
      })
      const params = Object.assign({ accountId }, shared.params, ...pieces.map((piece) => piece.params))
      const query = `SELECT sum(n) AS total, sum(r) AS requests FROM (${pieces.map((piece) => piece.sql).join(' UNION ALL ')})`
      const counted = await selectRow<{ total: number; requests: number }>(clickhouse, query, params)
      return { ...counted, isAtLeast: false }
    },

    /** The time in the id, a UUIDv7, finds the row by the primary key. */
    async get(accountId: string, id: string): Promise<RequestLog | undefined> {
      const here = 'account_id = {accountId: UUID} AND created_at = UUIDv7ToDateTime({id: UUID}) AND id = {id: UUID}'
      const [row] = await selectRows<RequestLog & Record<JsonField, string>>(
        clickhouse,
        `SELECT ${allFields}
        FROM request_logs
        LEFT JOIN (
          SELECT * EXCEPT (account_id, created_at) FROM request_details WHERE ${here}
        ) AS details USING (id)
        WHERE ${here} LIMIT 1 SETTINGS distributed_product_mode = 'local'`,
        { accountId, id },
      )
      if (!row) return undefined
      return {
        ...row,
        requestHeaders: parseHeaders(row.requestHeaders),
        responseHeaders: parseHeaders(row.responseHeaders),
        attemptLog: row.attemptLog ? JSON.parse(row.attemptLog) : [],
        responses: row.responses ? JSON.parse(row.responses) : [],
      }
    },

    /** Whether any account has the log. */
    async exists(id: string): Promise<boolean> {
      const query = `SELECT 1 FROM request_logs
        WHERE created_at = UUIDv7ToDateTime({id: UUID}) AND id = {id: UUID} LIMIT 1`
      return (await selectRows(clickhouse, query, { id })).length > 0
    },

    /** The newest `limit` logs that were stored after a time, oldest first. */
    async storedSince(accountId: string, filters: RequestLogFilters, sinceMs: number, limit: number) {
      const from = new Date(sinceMs - tailReach).toISOString()
      const { sql, params } = conditionsOf(accountId, { ...filters, timeRange: undefined, from, to: undefined })
      const rows = await selectRows<TailedLog>(
        clickhouse,
        `SELECT ${summaryFields}, toUnixTimestamp64Milli(ingested_at) AS ingestedAtMs FROM request_logs
          WHERE ${sql.join(' AND ')} AND ingested_at > fromUnixTimestamp64Milli({since: Int64})
          ORDER BY ingested_at DESC, created_at DESC LIMIT {limit: UInt32} SETTINGS max_execution_time = ${maxSeconds}`,
        { ...params, since: sinceMs, limit },
      )
      return rows.toReversed()
    },
  }

  async function listWithin(accountId: string, page: LogPage, window: { from: number; to: number }) {
    const { sql, params } = conditionsOf(accountId, page, window)
    const direction = page.order === 'desc' ? 'DESC' : 'ASC'
    if (page.cursor) {
      const before = page.order === 'desc' ? '<' : '>'
      // The first condition uses the primary key; the second one alone would read everything.
      sql.push(`created_at ${before}= UUIDv7ToDateTime({cursor: UUID})`)
      sql.push(`(created_at, id) ${before} (UUIDv7ToDateTime({cursor: UUID}), {cursor: UUID})`)
    }
    return selectRows<RequestLogSummary>(
      clickhouse,
      `SELECT ${summaryFields} FROM request_logs WHERE ${sql.join(' AND ')}
        ORDER BY created_at ${direction}, id ${direction} LIMIT {limit: UInt32} OFFSET {offset: UInt64}
        SETTINGS max_execution_time = ${maxSeconds}`,
      { ...params, cursor: page.cursor, limit: page.limit, offset: page.cursor ? 0 : page.offset },
    )
  }

  async function countRows(accountId: string, filters: RequestLogFilters): Promise<LogCount> {
    const { sql, params } = conditionsOf(accountId, filters)
    const matches = `SELECT request_count FROM request_logs WHERE ${sql.join(' AND ')}`
    const limited = hasSearch(filters) ? `${matches} LIMIT ${countedMatches + 1}` : matches
    const query = `SELECT count() AS total, sum(request_count) AS requests FROM (${limited}) SETTINGS max_execution_time = ${maxSeconds}`
    const counted = await selectRow<{ total: number; requests: number }>(clickhouse, query, params)
    const isAtLeast = hasSearch(filters) && counted.total > countedMatches
    return isAtLeast ? { total: countedMatches, requests: countedMatches, isAtLeast } : { ...counted, isAtLeast }
  }
}

/** Casts a time to the type of the table's time column. */
const bucketTime = {
  request_logs: (moment: string) => moment,
  usage_quarter_hour: (moment: string) => `toDateTime(${moment}, 'UTC')`,
  usage_day: (moment: string) => `toDate(${moment})`,
} as const

const parseHeaders = (text: string): Record<string, string> | null => (text ? JSON.parse(text) : null)

const summaryFields = selectFields(RequestLogSummary.keyof().options)
const allFields = selectFields(RequestLog.keyof().options)
