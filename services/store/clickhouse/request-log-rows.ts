import { uuidTimeMs } from '#core/uuid-time.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { routeOf } from './route-of.ts'

/** Stands for "none" in columns that order a table, where NULL is not allowed. */
export const noId = '00000000-0000-0000-0000-000000000000'

const maxUInt8 = 255
const maxUInt32 = 4_294_967_295

/** Longest texts that a light row keeps, in characters. */
const maxEndpoint = 2_048
const maxName = 128
const maxText = 4_096
/** So much of each kept body can be searched. */
const searchedBody = 16_384

/** Times that a log may have; an id outside of it was not minted by a proxy. */
const earliest = Date.UTC(2020)
const latest = Date.UTC(2100)

export const hasPlausibleTime = (id: string): boolean => uuidTimeMs(id) >= earliest && uuidTimeMs(id) < latest

type Columns = Record<string, (event: RequestEvent) => unknown>

const keyColumns: Columns = {
  account_id: (event) => event.accountId,
  created_at: (event) => uuidTimeMs(event.id),
  id: (event) => event.id,
}

/** What a column can't hold is cut or capped here: one absurd event must not keep a whole group out. */
const ofLog: Columns = {
  ...keyColumns,
  token_id: (event) => event.tokenId ?? noId,
  api_key_id: (event) => event.apiKeyId ?? noId,
  method: (event) => event.method.slice(0, maxName),
  endpoint: (event) => event.endpoint.slice(0, maxEndpoint),
  route: (event) => routeOf(event.endpoint),
  model: (event) => (event.model ?? '').slice(0, maxName),
  status: (event) => event.status,
  response_time_ms: (event) => Math.min(event.responseTimeMs, maxUInt32),
  time_to_first_byte_ms: (event) => capped(event.timeToFirstByteMs),
  overhead_us: (event) => capped(event.overheadUs),
  attempts: (event) => Math.min(event.attempts, maxUInt8),
  cache_status: (event) => event.cacheStatus ?? '',
  provider_request_id: (event) => (event.providerRequestId ?? '').slice(0, maxName),
  streamed: (event) => event.streamed,
  prompt_tokens: (event) => capped(event.promptTokens),
  completion_tokens: (event) => capped(event.completionTokens),
  cached_tokens: (event) => capped(event.cachedTokens),
  cost_nano_usd: (event) => event.costNanoUsd,
  cost_source: (event) => event.costSource,
  request_bytes: (event) => event.requestBytes,
  response_bytes: (event) => event.responseBytes,
  error_message: (event) => (event.errorMessage ?? '').slice(0, maxText),
  client_address: (event) => (event.clientAddress ?? '').slice(0, maxName),
  user_agent: (event) => (event.userAgent ?? '').slice(0, maxText),
  outcome: (event) => event.outcome,
  request_count: (event) => Math.min(event.requestCount, maxUInt32),
  search: searchTextOf,
}

const ofDetails: Columns = {
  ...keyColumns,
  request_headers: (event) => JSON.stringify(event.requestHeaders),
  response_headers: (event) => JSON.stringify(event.responseHeaders),
  attempt_log: (event) => JSON.stringify(event.attemptLog),
  request_body: (event) => event.requestBody,
  response_body: (event) => event.responseBody,
}

export const logColumns = Object.keys(ofLog)
export const detailsColumns = Object.keys(ofDetails)

/** Rows of a batch, ready to be inserted: the same events always give the same rows. */
export interface RequestLogRows {
  count: number
  /** JSONCompactEachRow of `logColumns` and of `detailsColumns`. */
  logs: Buffer
  details: Buffer
}

/** Bytes rather than text: they lie outside of the heap and go to the network as they are. */
export function toRows(events: Iterable<RequestEvent>): RequestLogRows {
  let [count, logs, details] = [0, '', '']
  for (const event of events) {
    count += 1
    logs += toLine(event, logValues)
    details += toLine(event, detailsValues)
  }
  return { count, logs: Buffer.from(logs), details: Buffer.from(details) }
}

const [logValues, detailsValues] = [Object.values(ofLog), Object.values(ofDetails)]

const toLine = (event: RequestEvent, values: readonly Columns[string][]): string =>
  `${JSON.stringify(values.map((value) => wellFormed(value(event))))}\n`

/** Half a character, from a client or where a text is cut, is an error to ClickHouse, and would keep a whole group out. */
const wellFormed = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

function capped(value: number | null): number | null {
  return value === null ? null : Math.min(value, maxUInt32)
}

/** Everything of a log that a search looks into, in lower case; bodies only where they are kept. */
function searchTextOf(event: RequestEvent): string {
  const parts = [
    event.method,
    event.endpoint.slice(0, maxEndpoint),
    event.model?.slice(0, maxName),
    event.status,
    event.outcome,
    event.id,
    event.providerRequestId?.slice(0, maxName),
    event.errorMessage?.slice(0, maxText),
    event.userAgent?.slice(0, maxText),
    event.requestBody?.slice(0, searchedBody),
    event.responseBody?.slice(0, searchedBody),
  ]
  return parts.filter(Boolean).join('\n').toLowerCase()
}
