import type { RequestEvent } from './request-event.ts'
import type { RequestLog, RequestLogFilters } from './request-logs.ts'

/** Represents "none" in columns of a sorting key, which can't be NULL. */
export const noId = '00000000-0000-0000-0000-000000000000'

const maxUInt8 = 255
const maxUInt32 = 4_294_967_295
const maxName = 128
const maxText = 4_096

/** A field of the event: its column and its name in the API. */
export interface LogField {
  column: string
  /** `null`: not in the API. */
  api: keyof RequestLog | null
  /** The column is in `request_details`, not in `request_logs`. */
  isDetail?: true
  isJson?: true
  /** Represents `null` in a column that can't be NULL. */
  none?: '' | typeof noId
  /** Longer text is truncated and larger numbers are capped, so that no extreme event fails a whole insert. */
  maxLength?: number
  max?: number
}

/** Every field of a log: key in the event, column, and name in the API. */
export const logFields = {
  id: { column: 'id', api: 'id' },
  accountId: { column: 'account_id', api: null },
  tokenId: { column: 'token_id', api: 'tokenId', none: noId },
  apiKeyId: { column: 'api_key_id', api: 'apiKeyId', none: noId },
  method: { column: 'method', api: 'method', maxLength: maxName },
  endpoint: { column: 'endpoint', api: 'endpoint', maxLength: 2_048 },
  model: { column: 'model', api: 'model', none: '', maxLength: maxName },
  status: { column: 'status', api: 'responseStatus' },
  responseTimeMs: { column: 'response_time_ms', api: 'responseTime', max: maxUInt32 },
  timeToFirstByteMs: { column: 'time_to_first_byte_ms', api: 'timeToFirstByte', max: maxUInt32 },
  overheadUs: { column: 'overhead_us', api: 'overheadUs', max: maxUInt32 },
  attempts: { column: 'attempts', api: 'attempts', max: maxUInt8 },
  cacheStatus: { column: 'cache_status', api: 'cacheStatus', none: '' },
  providerRequestId: { column: 'provider_request_id', api: 'providerRequestId', none: '', maxLength: maxName },
  streamed: { column: 'streamed', api: 'streamed' },
  promptTokens: { column: 'prompt_tokens', api: 'promptTokens', max: maxUInt32 },
  completionTokens: { column: 'completion_tokens', api: 'completionTokens', max: maxUInt32 },
  cachedTokens: { column: 'cached_tokens', api: 'cachedTokens', max: maxUInt32 },
  costNanoUsd: { column: 'cost_nano_usd', api: 'costNanoUsd' },
  costSource: { column: 'cost_source', api: 'costSource' },
  requestBytes: { column: 'request_bytes', api: 'requestBytes' },
  responseBytes: { column: 'response_bytes', api: 'responseBytes' },
  errorMessage: { column: 'error_message', api: 'errorMessage', none: '', maxLength: maxText },
  errorCode: { column: 'error_code', api: 'errorCode', none: '', maxLength: maxName },
  errorType: { column: 'error_type', api: 'errorType', none: '', maxLength: maxName },
  query: { column: 'query', api: 'query', none: '', maxLength: maxText },
  tags: { column: 'tags', api: 'tags' },
  clientAddress: { column: 'client_address', api: 'clientAddress', none: '', maxLength: maxName },
  userAgent: { column: 'user_agent', api: 'userAgent', none: '', maxLength: maxText },
  outcome: { column: 'outcome', api: 'outcome' },
  requestCount: { column: 'request_count', api: 'requestCount', max: maxUInt32 },
  requestHeaders: { column: 'request_headers', api: 'requestHeaders', isDetail: true, isJson: true },
  responseHeaders: { column: 'response_headers', api: 'responseHeaders', isDetail: true, isJson: true },
  attemptLog: { column: 'attempt_log', api: 'attemptLog', isDetail: true, isJson: true },
  responses: { column: 'responses', api: 'responses', isDetail: true, isJson: true },
  requestBody: { column: 'request_body', api: 'requestBody', isDetail: true },
  responseBody: { column: 'response_body', api: 'responseBody', isDetail: true },
} as const satisfies Record<Exclude<keyof RequestEvent, 'version'>, LogField>

export type EventField = keyof typeof logFields

/** Fields of the API that are stored; `createdAt` is derived from the id. */
export type StoredField = NonNullable<(typeof logFields)[EventField]['api']> | 'createdAt'

/** Every filter of the API, and its parameter in the URL of the Request Logs screen. */
export const filterParameters = {
  search: 'search',
  searchMode: 'mode',
  status: 'status',
  method: 'method',
  timeRange: 'range',
  from: 'from',
  to: 'to',
  model: 'model',
  endpoint: 'endpoint',
  token: 'token',
  key: 'key',
  statusCode: 'statusCode',
  minResponseTime: 'minTime',
  maxResponseTime: 'maxTime',
  outcome: 'outcome',
  errorCode: 'errorCode',
  cache: 'cache',
  retried: 'retried',
  failedOver: 'failedOver',
  cost: 'cost',
  tag: 'tag',
  not: 'not',
} as const satisfies Record<keyof RequestLogFilters, string>

/** Dimensions that Analytics can group by, besides `tag:` and a key. */
export const groupings = ['model', 'token', 'key', 'endpoint', 'status', 'outcome', 'errorCode'] as const

export type FilterParameter = (typeof filterParameters)[keyof typeof filterParameters]
