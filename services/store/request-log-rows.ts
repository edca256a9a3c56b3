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

/** Milliseconds since 1970 in the first 48 bits of a UUIDv7. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

export const hasPlausibleTime = (id: string): boolean => timeOfId(id) >= earliest && timeOfId(id) < latest

/** Rows of a batch, ready to be inserted: the same events always give the same rows. */
export interface RequestLogRows {
  count: number
  /** JSONEachRow. */
  logs: string
  details: string
}

export function toRows(events: readonly RequestEvent[]): RequestLogRows {
  let logs = ''
  let details = ''
  for (const event of events) {
    logs += `${JSON.stringify(toLogRow(event))}\n`
    details += `${JSON.stringify(toDetailsRow(event))}\n`
  }
  return { count: events.length, logs, details }
}

const keyOf = (event: RequestEvent) => ({ account_id: event.accountId, created_at: timeOfId(event.id), id: event.id })

/** What a column can't hold is cut or capped here: one absurd event must not keep a whole group out. */
const toLogRow = (event: RequestEvent) => ({
  ...keyOf(event),
  token_id: event.tokenId ?? noId,
  api_key_id: event.apiKeyId ?? noId,
  method: event.method.slice(0, maxName),
  endpoint: event.endpoint.slice(0, maxEndpoint),
  route: routeOf(event.endpoint),
  model: (event.model ?? '').slice(0, maxName),
  status: event.status,
  response_time_ms: Math.min(event.responseTimeMs, maxUInt32),
  time_to_first_byte_ms: capped(event.timeToFirstByteMs),
  overhead_us: capped(event.overheadUs),
  attempts: Math.min(event.attempts, maxUInt8),
  cache_status: event.cacheStatus ?? '',
  provider_request_id: (event.providerRequestId ?? '').slice(0, maxName),
  streamed: event.streamed,
  prompt_tokens: capped(event.promptTokens),
  completion_tokens: capped(event.completionTokens),
  cached_tokens: capped(event.cachedTokens),
  cost_nano_usd: event.costNanoUsd,
  cost_source: event.costSource,
  request_bytes: event.requestBytes,
  response_bytes: event.responseBytes,
  error_message: (event.errorMessage ?? '').slice(0, maxText),
  client_address: (event.clientAddress ?? '').slice(0, maxName),
  user_agent: (event.userAgent ?? '').slice(0, maxText),
  outcome: event.outcome,
  search: searchTextOf(event),
})

const capped = (value: number | null) => (value === null ? null : Math.min(value, maxUInt32))

const toDetailsRow = (event: RequestEvent) => ({
  ...keyOf(event),
  request_headers: JSON.stringify(event.requestHeaders),
  response_headers: JSON.stringify(event.responseHeaders),
  attempt_log: JSON.stringify(event.attemptLog),
  request_body: event.requestBody,
  response_body: event.responseBody,
})

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
