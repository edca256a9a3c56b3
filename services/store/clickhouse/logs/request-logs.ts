import { headerText } from '#core/http/header-text.ts'
import { hour } from '#core/units.ts'
import type { ClickHouseClient } from '#core/stores/clickhouse.ts'
import {
  type LogSort,
  RequestLog,
  type RequestLogFilters,
  type RequestLogQuery,
  RequestLogSummary,
} from '#schemas/request-logs.ts'
import { insertLines, maxSeconds, selectRow, selectRows } from '../clickhouse-rows.ts'
import { filterConditions, hasSearch } from './log-filters.ts'
import {
  createLogMatches,
  type LogMatches,
  type LogMatchesOptions,
  type LogPiece,
  type LogTable,
} from './log-matches.ts'
import { forever, type TimeSpan } from '../range-pieces.ts'
import { selectColumns } from '../select-pieces.ts'
import { pageWindows } from './page-windows.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import { detailsColumns, logColumns, type RequestLogRows, selectFields } from './request-log-rows.ts'

/** Matches of a search are counted up to this limit, instead of reading the whole history. */
const countedMatches = 10_000

/** The live tail leaves out requests that took longer. */
const tailReach = hour

type LogPage = RequestLogFilters &
  Pick<RequestLogQuery, 'limit' | 'offset' | 'cursor' | 'order'> &
  Partial<Pick<RequestLogQuery, 'sort'>>

export interface LogCount {
  total: number
  /** A log can represent several requests. */
  requests: number
  /** True if counting stopped at the limit. */
  isAtLeast: boolean
}

export type TailedLog = RequestLogSummary & { ingestedAtMs: number }

type JsonField = 'requestHeaders' | 'responseHeaders' | 'attemptLog' | 'responses'

export type RequestLogStore = ReturnType<typeof createRequestLogStore>

export const createRequestLogStore = (clickhouse: ClickHouseClient, options: LogMatchesOptions) => {
  const { now = Date.now } = options
  const { availableFrom, find } = createLogMatches(clickhouse, options)

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

    find,

    /** @returns a page; the id of its last row is the cursor of the next one */
    async list(accountId: string, page: LogPage, found?: LogMatches): Promise<RequestLogSummary[]> {
      const matches = found ?? (await find(accountId, page))
      if (page.sort && page.sort !== 'time') return listSorted(accountId, page, page.sort, matches)
      const first = page.order === 'desc' ? now() : matches.from
      const near = page.cursor ? uuidTimeMs(page.cursor) : first
      for (const window of pageWindows(matches, page.order, near)) {
        const rows = await listWithin(accountId, page, matches, window)
        if (rows.length === page.limit || (window.from <= matches.from && window.to >= matches.to)) return rows
      }
      return []
    },

    /** Counts from rollups where the filters allow it; the count of a search stops at `countedMatches`. */
    async count(accountId: string, filters: RequestLogFilters, found?: LogMatches): Promise<LogCount> {
      const { requests: pieces } = found ?? (await find(accountId, filters))
      const isSearch = hasSearch(filters)
      const limit = isSearch ? `LIMIT ${countedMatches + 1}` : ''
      const { sql, params } = selectColumns(accountId, pieces, countColumns, limit)
      const counted = await selectRow<{ total: number; requests: number }>(
        clickhouse,
        `SELECT sum(log_rows) AS total, sum(n) AS requests FROM (${sql}) SETTINGS max_execution_time = ${maxSeconds}`,
        params,
      )
      const isAtLeast = isSearch && counted.total > countedMatches
      return isAtLeast ? { total: countedMatches, requests: countedMatches, isAtLeast } : { ...counted, isAtLeast }
    },

    /** Finds the row by the primary key, using the time in the id, a UUIDv7. */
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
        userAgent: row.userAgent && headerText(row.userAgent),
        requestHeaders: parseHeaders(row.requestHeaders),
        responseHeaders: parseHeaders(row.responseHeaders),
        attemptLog: row.attemptLog ? JSON.parse(row.attemptLog) : [],
        responses: row.responses ? JSON.parse(row.responses) : [],
      }
    },

    /** True if any account has the log. */
    async exists(id: string): Promise<boolean> {
      const query = `SELECT 1 FROM request_logs
        WHERE created_at = UUIDv7ToDateTime({id: UUID}) AND id = {id: UUID} LIMIT 1`
      return (await selectRows(clickhouse, query, { id })).length > 0
    },

    /** The newest `limit` logs that were stored after a time, oldest first. */
    async storedSince(accountId: string, filters: RequestLogFilters, sinceMs: number, limit: number) {
      const conditions = filterConditions(filters)
      const recent: LogPiece = { table: 'request_logs', from: sinceMs - tailReach, to: forever, conditions }
      const { sql, params } = selectColumns(
        accountId,
        [recent],
        () => tailFields,
        `AND ingested_at > fromUnixTimestamp64Milli({since: Int64})
        ORDER BY ingested_at DESC, created_at DESC LIMIT {limit: UInt32}`,
      )
      const query = `SELECT * EXCEPT ingested_at FROM (${sql}) ORDER BY ingested_at DESC, createdAt DESC SETTINGS max_execution_time = ${maxSeconds}`
      const rows = await selectRows<TailedLog>(clickhouse, query, { ...params, since: sinceMs, limit })
      return rows.toReversed()
    },
  }

  async function listWithin(accountId: string, page: LogPage, matches: LogMatches, window: TimeSpan) {
    const pieces = matches.rows.map((piece) => clip(piece, window)).filter(({ from, to }) => from < to)
    if (pieces.length === 0) return []
    const [direction, before] = page.order === 'desc' ? ['DESC', '<'] : ['ASC', '>']
    // The first condition uses the primary key; the second one alone would read everything.
    const beyondCursor = page.cursor
      ? `AND created_at ${before}= UUIDv7ToDateTime({cursor: UUID})
        AND (created_at, id) ${before} (UUIDv7ToDateTime({cursor: UUID}), {cursor: UUID})`
      : ''
    const order = (time: string) => `ORDER BY ${time} ${direction}, id ${direction}`
    const limit = 'LIMIT {limit: UInt32} OFFSET {offset: UInt64}'
    const isOne = pieces.length === 1
    const { sql, params } = selectColumns(
      accountId,
      pieces,
      () => summaryFields,
      `${beyondCursor} ${order('created_at')} ${isOne ? limit : 'LIMIT {last: UInt64}'}`,
    )
    const offset = page.cursor ? 0 : page.offset
    return selectRows<RequestLogSummary>(
      clickhouse,
      `SELECT * FROM (${sql}) ${order('createdAt')} ${isOne ? '' : limit} SETTINGS max_execution_time = ${maxSeconds}`,
      // One piece may have an offset so large that adding to it is inexact.
      { ...params, cursor: page.cursor, limit: page.limit, offset, last: isOne ? undefined : offset + page.limit },
    )
  }

  /** Finds the ids first, so that only the sort columns are read of every match. */
  async function listSorted(accountId: string, page: LogPage, sort: keyof typeof sortColumns, matches: LogMatches) {
    const order = `ORDER BY sorted ${page.order === 'desc' ? 'DESC' : 'ASC'} NULLS LAST, at DESC, id DESC`
    const columns = `id, created_at AS at, ${sortColumns[sort]} AS sorted`
    const last = page.offset + page.limit
    const { sql, params } = selectColumns(accountId, matches.rows, () => columns, `${order} LIMIT {last: UInt64}`)
    const found = await selectRows<{ id: string }>(
      clickhouse,
      `SELECT id FROM (${sql}) ${order} LIMIT {limit: UInt32} OFFSET {offset: UInt64}
        SETTINGS max_execution_time = ${maxSeconds}`,
      { ...params, limit: page.limit, offset: page.offset, last },
    )
    const ids = found.map(({ id }) => id)
    if (ids.length === 0) return []
    const rows = await selectRows<RequestLogSummary>(
      clickhouse,
      `SELECT ${summaryFields} FROM request_logs WHERE account_id = {accountId: UUID} AND (created_at, id) IN (
          SELECT UUIDv7ToDateTime(each), each FROM (SELECT arrayJoin({ids: Array(UUID)}) AS each)
        ) LIMIT ${ids.length}`,
      { accountId, ids },
    )
    const places = new Map(ids.map((id, place) => [id, place]))
    return rows.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
  }
}

const clip = (piece: LogPiece, window: TimeSpan): LogPiece => ({
  ...piece,
  from: Math.max(piece.from, window.from),
  to: Math.min(piece.to, window.to),
})

const sortColumns = {
  responseTime: 'response_time_ms',
  tokens: 'if(prompt_tokens IS NULL, completion_tokens, prompt_tokens + ifNull(completion_tokens, 0))',
  cost: 'cost_nano_usd',
} satisfies Record<Exclude<LogSort, 'time'>, string>

const countColumns = (table: LogTable) =>
  table === 'request_logs'
    ? '1 AS log_rows, toUInt64(request_count) AS n'
    : 'toUInt64(log_rows) AS log_rows, toUInt64(requests) AS n'

const parseHeaders = (text: string): Record<string, string> | null => (text ? JSON.parse(headerText(text)) : null)

const summaryFields = selectFields(RequestLogSummary.keyof().options)
const tailFields = `${summaryFields}, ingested_at, toUnixTimestamp64Milli(ingested_at) AS ingestedAtMs`
const allFields = selectFields(RequestLog.keyof().options)
