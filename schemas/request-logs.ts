import { z } from 'zod'
import { splitList } from './list-text.ts'
import { CacheStatus, CostSource, SessionResponse, UpstreamAttempt } from './request-event.ts'
import { RequestOutcome } from './request-outcome.ts'
import { checkRange, rangeFields, resolveRange } from './time-range.ts'
import { day } from './units.ts'

/** A row of the history. Source: product.md 7.1. */
export const RequestLogSummary = z.object({
  id: z.uuid().describe('The `x-request-id` of the response.'),
  createdAt: z.iso.datetime().describe('Arrival of the request.'),
  method: z.string(),
  endpoint: z.string().describe("Path after the proxy's prefix, without the query."),
  model: z.string().nullable(),
  responseStatus: z.number().int().describe('Status that the client received; 0: no response reached it.'),
  responseTime: z.number().int().describe('ms'),
  timeToFirstByte: z.number().int().nullable().describe('ms'),
  overheadUs: z.number().int().nullable().describe('Time added by the gateway, µs.'),
  attempts: z.number().int().describe('How often the request was sent to the provider.'),
  cacheStatus: CacheStatus.nullable().describe(
    "`hit`: served from the gateway's cache; `null`: the cache was not used.",
  ),
  streamed: z.boolean(),
  promptTokens: z.number().int().nullable(),
  completionTokens: z.number().int().nullable(),
  cachedTokens: z.number().int().nullable().describe('Part of `promptTokens` that the provider read from its cache.'),
  costNanoUsd: z.number().int().nullable().describe('Billionths of a US dollar; `null`: unknown.'),
  costSource: CostSource,
  errorMessage: z.string().nullable(),
  errorCode: z.string().nullable().describe("`error.code` of the provider's or the gateway's error response."),
  errorType: z.string().nullable().describe('`error.type` of the same response.'),
  tags: z.record(z.string(), z.string()),
  apiKeyId: z.uuid().nullable().describe('API key of the last attempt; `null`: not sent to the provider.'),
  tokenId: z.uuid().nullable().describe('Secure token of the request; `null`: it was sent from a session.'),
  outcome: RequestOutcome,
  requestCount: z
    .number()
    .int()
    .positive()
    .describe('More than one if the log represents several requests that never went to the provider.'),
})
export type RequestLogSummary = z.infer<typeof RequestLogSummary>

/** How much of a body is logged, if bodies are logged at all. */
export const keptBodyBytes = 262_144

/** How much of a query is logged, characters. The mark at the end of a truncated one can't occur in a URL. */
export const keptQuery = 4_096
export const cutMark = '…'

const headers = z.record(z.string(), z.string()).nullable()
const body = z.string().nullable().describe('`null`: not logged.')

/** A complete log. */
export const RequestLog = RequestLogSummary.extend({
  clientAddress: z.string().nullable().describe('`null`: not logged.'),
  userAgent: z.string().nullable(),
  query: z.string().nullable().describe("The request's query, without `?`. A truncated one ends with `…`."),
  providerRequestId: z.string().nullable().describe("The provider's own id of the request."),
  attemptLog: z.array(UpstreamAttempt),
  responses: z.array(SessionResponse).describe('The first responses of a WebSocket session.'),
  requestHeaders: headers,
  responseHeaders: headers,
  requestBytes: z.number().int().describe('Size of the complete body; the log may contain only its beginning.'),
  responseBytes: z.number().int().describe('Size of the complete body.'),
  requestBody: body,
  responseBody: body,
})
export type RequestLog = z.infer<typeof RequestLog>

export const listOf = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z.string().transform(splitList).pipe(z.array(item).min(1).max(20, 'Expected at most 20 values'))

const status = z.union(
  [z.enum(['all', 'success', 'error', 'failed']), z.string().regex(/^[1-5]xx$/), z.string().regex(/^(0|[1-5]\d\d)$/)],
  'Expected all, success, error, failed, a class such as 4xx, or a code such as 429',
)
const method = z.enum(['all', 'GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])
const responseTimeText = 'Expected whole milliseconds, a day at most'
const responseTime = z.coerce
  .number(responseTimeText)
  .int(responseTimeText)
  .min(0, responseTimeText)
  .max(day, responseTimeText)

const idOrNone = z.union([z.literal('none'), z.uuid().toLowerCase()], 'Expected an id or none')

/** `tag:key` names the values of a tag as a field. */
export const TagField = z.templateLiteral(['tag:', z.string().regex(/^[\w.-]{1,64}$/)])

/** `key:value`; without a value, requests without the key. */
const tag = z.string().regex(/^[\w.-]{1,64}:.{0,256}$/s, 'Expected a tag such as customer:acme')

/** Filters with several values, which can also be excluded. */
export const excludable = ['model', 'endpoint', 'token', 'key', 'statusCode', 'outcome', 'errorCode', 'cache'] as const

const filterFields = {
  search: z
    .string()
    .max(10_240)
    .optional()
    .describe('Words that must all occur; with `searchMode=substring` a single text of at least 3 characters.'),
  searchMode: z
    .enum(['words', 'parts', 'substring'])
    .default('words')
    .describe('`parts`: parts of words in the newest logs, whole words in logs older than `x-searched-from`.'),
  status: status
    .default('all')
    .describe('`success`: 200 to 299; `error`: 400 to 599; `failed`: 400 and above, or no response; 0: no response.'),
  method: method.default('all'),
  ...rangeFields,
  model: listOf(z.string().max(128)).optional().describe('An empty name: requests without a model.'),
  endpoint: listOf(z.string().max(1_024))
    .optional()
    .describe('Paths; an identifier in a path matches any, like `{id}`.'),
  token: listOf(idOrNone).optional().describe('Ids of secure tokens; `none`: requests without one.'),
  key: listOf(idOrNone).optional().describe('Ids of API keys; `none`: requests without one.'),
  statusCode: listOf(
    z
      .string()
      .regex(/^(0|[1-9]\d\d)$/, 'Expected a status code such as 429')
      .transform(Number),
  ).optional(),
  minResponseTime: responseTime.optional().describe('ms'),
  maxResponseTime: responseTime.optional().describe('ms'),
  outcome: listOf(RequestOutcome).optional(),
  errorCode: listOf(z.string().max(128)).optional(),
  cache: listOf(z.enum([...CacheStatus.options, 'none']))
    .optional()
    .describe('`none`: the cache was not used.'),
  retried: z.enum(['true', 'false']).optional().describe('Sent to the provider more than once.'),
  failedOver: z.enum(['true', 'false']).optional().describe('Retried with another key.'),
  cost: z.enum(['known', 'unknown']).optional().describe('Whether the cost is known.'),
  tag: z
    .union([tag.transform((text) => [text]), z.array(tag).min(1).max(20)])
    .optional()
    .describe('May be repeated: values of the same key are alternatives, different keys must all match.'),
  not: listOf(z.union([z.enum(excludable), TagField], 'Expected names of filters'))
    .optional()
    .describe('Filters whose values must not match; for a tag, `tag:` and its key.'),
}

/** Longest range of a substring search, which can't use an index. */
const substringDays = 31

const longestParts = 200

function checkFilters(query: z.infer<z.ZodObject<typeof filterFields>>, context: z.RefinementCtx): void {
  const { search, searchMode, minResponseTime = 0, maxResponseTime = Infinity } = query
  const reject = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  checkRange(query, context)
  if (minResponseTime > maxResponseTime) reject('maxResponseTime', 'The longest response time is below the shortest')
  if (searchMode === 'parts' && search && search.length > longestParts)
    reject('search', `A search for parts of words has at most ${longestParts} characters`)
  if (searchMode !== 'substring' || !search) return
  if (search.trim().length < 3) reject('search', 'A substring search needs at least 3 characters')
  const now = Date.now()
  const { from, to = now } = resolveRange(query, now)
  if (from === undefined || to - from > substringDays * day)
    reject('searchMode', `A substring search needs a time range of at most ${substringDays} days`)
}

/** Source: product.md 8.9. */
export const RequestLogFilters = z.strictObject(filterFields).superRefine(checkFilters)
export type RequestLogFilters = z.infer<typeof RequestLogFilters>

const orderFields = {
  cursor: z.uuid().optional().describe('Id of the last log that the client has; takes precedence over `offset`.'),
  order: z.enum(['desc', 'asc']).default('desc'),
}

const LogSort = z.enum(['time', 'responseTime', 'tokens', 'cost']).describe('Unknown tokens and costs come last.')
export type LogSort = z.infer<typeof LogSort>

/** A list that is not sorted by time ends after this many logs, because each page reads all matching logs. */
export const longestSorted = 10_000

/** A page of logs, newest first by default. */
export const RequestLogQuery = RequestLogFilters.safeExtend({
  limit: z.coerce.number().int().min(1).max(1_000).default(20),
  offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  sort: LogSort.default('time'),
  ...orderFields,
}).superRefine(({ sort, offset, limit, cursor }, context) => {
  const reject = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
  if (sort === 'time') return
  if (cursor) reject('cursor', 'A cursor can only be used when logs are sorted by time')
  if (offset + limit > longestSorted)
    reject('offset', `Only the first ${longestSorted} logs can be read unless they are sorted by time`)
})
export type RequestLogQuery = z.infer<typeof RequestLogQuery>

/** All matching logs as a file, or the next `limit` of them. Source: product.md 7.9. */
export const RequestLogExportQuery = RequestLogFilters.safeExtend({
  format: z.enum(['csv', 'jsonl', 'parquet']).default('csv'),
  bom: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Whether CSV begins with a byte order mark, which some spreadsheets need to detect UTF-8.'),
  limit: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe('Default: all.'),
  ...orderFields,
})
export type RequestLogExportQuery = z.infer<typeof RequestLogExportQuery>

/** A log that is not stored yet, because its request or its event is in flight. */
export const PendingRequestLog = z.object({ id: z.uuid(), pending: z.literal(true) })
