import type { ClickHouseClient } from '#core/resources.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import type { RequestLog, RequestLogQuery, RequestLogSummary } from '#schemas/request-logs.ts'
import { routeOf } from './route-of.ts'

/** Stands for "none" in columns that order a table, where NULL is not allowed. */
export const noId = '00000000-0000-0000-0000-000000000000'

export type RequestLogStore = ReturnType<typeof createRequestLogStore>

export const createRequestLogStore = (clickhouse: ClickHouseClient) => ({
  /**
   * Stores a group of events. Repeated with the same token and the very same events it changes nothing,
   * neither rows nor rollups. Details go first, so that a log that can be seen is complete.
   */
  async insert(events: readonly RequestEvent[], deduplicationToken: string): Promise<void> {
    const settings = {
      insert_deduplication_token: deduplicationToken,
      deduplicate_blocks_in_dependent_materialized_views: 1,
      async_insert: 0,
      max_insert_block_size: '1000000',
    } as const
    const write = (table: string, values: object[]) =>
      clickhouse.insert({ table, values, format: 'JSONEachRow', clickhouse_settings: settings })
    await write('request_details', events.map(toDetailsRow))
    await write('request_logs', events.map(toLogRow))
  },

  /** Newest first. */
  async list(accountId: string, { limit, offset }: RequestLogQuery): Promise<RequestLogSummary[]> {
    const rows = await clickhouse.query({
      query: `SELECT ${summaryColumns} FROM request_logs WHERE account_id = {accountId: UUID}
        ORDER BY created_at DESC, id DESC LIMIT {limit: UInt32} OFFSET {offset: UInt64}`,
      query_params: { accountId, limit, offset },
      format: 'JSONEachRow',
    })
    return rows.json<RequestLogSummary>()
  },

  async count(accountId: string): Promise<number> {
    const rows = await clickhouse.query({
      query: 'SELECT sum(requests) AS total FROM usage_day WHERE account_id = {accountId: UUID}',
      query_params: { accountId },
      format: 'JSONEachRow',
    })
    const [row] = await rows.json<{ total: number }>()
    return row?.total ?? 0
  },

  /** The id is a UUIDv7, so it names the moment that leads to the row without an index. */
  async get(accountId: string, id: string): Promise<RequestLog | undefined> {
    const rows = await clickhouse.query({
      query: `
        SELECT ${summaryColumns},
          nullIf(client_address, '') AS clientAddress, nullIf(user_agent, '') AS userAgent,
          details.request_headers AS requestHeaders, details.response_headers AS responseHeaders,
          details.request_body AS requestBody, details.response_body AS responseBody
        FROM request_logs
        LEFT JOIN (
          SELECT id, request_headers, response_headers, request_body, response_body FROM request_details
          WHERE account_id = {accountId: UUID} AND created_at = UUIDv7ToDateTime({id: UUID}) AND id = {id: UUID}
        ) AS details USING (id)
        WHERE account_id = {accountId: UUID} AND created_at = UUIDv7ToDateTime({id: UUID}) AND id = {id: UUID} LIMIT 1`,
      query_params: { accountId, id },
      format: 'JSONEachRow',
    })
    const [row] = await rows.json<RequestLog & { requestHeaders: string; responseHeaders: string }>()
    if (!row) return undefined
    return {
      ...row,
      requestHeaders: parseHeaders(row.requestHeaders),
      responseHeaders: parseHeaders(row.responseHeaders),
    }
  },
})

const parseHeaders = (text: string): Record<string, string> | null => (text ? JSON.parse(text) : null)

const summaryColumns = `
  id, created_at AS createdAt, method, endpoint, nullIf(model, '') AS model,
  status AS responseStatus, response_time_ms AS responseTime, time_to_first_byte_ms AS timeToFirstByte,
  attempts, streamed, prompt_tokens AS promptTokens, completion_tokens AS completionTokens,
  cached_tokens AS cachedTokens, cost_nano_usd AS costNanoUsd, cost_source AS costSource,
  nullIf(error_message, '') AS errorMessage, nullIf(api_key_id, toUUID('${noId}')) AS apiKeyId,
  nullIf(token_id, toUUID('${noId}')) AS tokenId, outcome`

/** Milliseconds since 1970 in the first 48 bits of a UUIDv7. */
const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const keyOf = (event: RequestEvent) => ({ account_id: event.accountId, created_at: timeOf(event.id), id: event.id })

const toLogRow = (event: RequestEvent) => ({
  ...keyOf(event),
  token_id: event.tokenId ?? noId,
  api_key_id: event.apiKeyId ?? noId,
  method: event.method,
  endpoint: event.endpoint,
  route: routeOf(event.endpoint),
  model: event.model ?? '',
  status: event.status,
  response_time_ms: event.responseTimeMs,
  time_to_first_byte_ms: event.timeToFirstByteMs,
  attempts: event.attempts,
  streamed: event.streamed,
  prompt_tokens: event.promptTokens,
  completion_tokens: event.completionTokens,
  cached_tokens: event.cachedTokens,
  cost_nano_usd: event.costNanoUsd,
  cost_source: event.costSource,
  request_bytes: event.requestBytes,
  response_bytes: event.responseBytes,
  error_message: event.errorMessage ?? '',
  client_address: event.clientAddress ?? '',
  user_agent: event.userAgent ?? '',
  outcome: event.outcome,
})

const toDetailsRow = (event: RequestEvent) => ({
  ...keyOf(event),
  request_headers: JSON.stringify(event.requestHeaders),
  response_headers: JSON.stringify(event.responseHeaders),
  request_body: event.requestBody,
  response_body: event.responseBody,
})
