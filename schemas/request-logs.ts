import { z } from 'zod'
import { splitList } from './list-text.ts'
import { CacheStatus, CostSource, SessionResponse, UpstreamAttempt } from './request-event.ts'
import { RequestOutcome } from './request-outcome.ts'
import { checkRange, rangeFields, resolveRange } from './time-range.ts'
import { day } from './units.ts'

/** A row of the history. Durations in ms, money in nano-USD. Source: product.md 7.1. */
export const RequestLogSummary = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  method: z.string(),
  endpoint: z.string(),
  model: z.string().nullable(),
  /** 0: no response reached the client. */
  responseStatus: z.number().int(),
  responseTime: z.number().int(),
  timeToFirstByte: z.number().int().nullable(),
  /** Time added by the gateway, µs. */
  overheadUs: z.number().int().nullable(),
  attempts: z.number().int(),
  cacheStatus: CacheStatus.nullable(),
  streamed: z.boolean(),
  promptTokens: z.number().int().nullable(),
  completionTokens: z.number().int().nullable(),
  cachedTokens: z.number().int().nullable(),
  costNanoUsd: z.number().int().nullable(),
  costSource: CostSource,
  errorMessage: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorType: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  apiKeyId: z.uuid().nullable(),
  tokenId: z.uuid().nullable(),
  outcome: RequestOutcome,
  /** More than one if the log represents several requests that never went to the provider. */
  requestCount: z.number().int().positive(),
})
export type RequestLogSummary = z.infer<typeof RequestLogSummary>

/** How much of a body is logged, if bodies are logged at all. */
export const keptBodyBytes = 262_144

/** How much of a query is logged, characters. The mark at the end of a truncated one can't occur in a URL. */
export const keptQuery = 4_096
export const cutMark = '…'

const headers = z.record(z.string(), z.string()).nullable()

/** A complete log. Bodies are `null` unless the account keeps them. */
export const RequestLog = RequestLogSummary.extend({
  clientAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** The request's query, without `?`. A truncated one ends with `…`. */
  query: z.string().nullable(),
  providerRequestId: z.string().nullable(),
  attemptLog: z.array(UpstreamAttempt),
  /** The first responses of a WebSocket session. */
  responses: z.array(SessionResponse),
  requestHeaders: headers,
  responseHeaders: headers,
  /** Sizes of the complete bodies; the log may contain only their beginning. */
  requestBytes: z.number().int(),
  responseBytes: z.number().int(),
  requestBody: z.string().nullable(),
  responseBody: z.string().nullable(),
})
export type RequestLog = z.infer<typeof RequestLog>

export const listOf = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z.string().transform(splitList).pipe(z.array(item).min(1).max(20))

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

/** `none` matches requests without one. */
const idOrNone = z.union([z.literal('none'), z.uuid()], 'Expected an id or none')

export const tagKey = z.string().regex(/^[\w.-]{1,64}$/)

/** `key:value`; without a value, requests without the key. */
const tag = z.string().regex(/^[\w.-]{1,64}:.{0,256}$/s, 'Expected a tag such as customer:acme')

/** Filters with several values, which can also be excluded. */
const excludable = ['model', 'endpoint', 'token', 'key', 'statusCode', 'outcome', 'errorCode', 'cache'] as const

export const filterFields = {
  /** Words that must all occur; with `searchMode=substring` a single text of at least 3 characters. */
  search: z.string().max(10_240).optional(),
  /** `parts`: parts of words in the newest logs, whole words in logs older than `x-searched-from`. */
  searchMode: z.enum(['words', 'parts', 'substring']).default('words'),
  status: status.default('all'),
  method: method.default('all'),
  ...rangeFields,
  /** An empty name: requests without a model. */
  model: listOf(z.string().max(128)).optional(),
  /** Paths; an identifier in a path matches any, like `{id}`. */
  endpoint: listOf(z.string().max(1_024)).optional(),
  token: listOf(idOrNone).optional(),
  key: listOf(idOrNone).optional(),
  statusCode: listOf(
    z
      .string()
      .regex(/^(0|[1-9]\d\d)$/, 'Expected a status code such as 429')
      .transform(Number),
  ).optional(),
  /** ms */
  minResponseTime: responseTime.optional(),
  maxResponseTime: responseTime.optional(),
  outcome: listOf(RequestOutcome).optional(),
  errorCode: listOf(z.string().max(128)).optional(),
  /** `none`: the cache was not used. */
  cache: listOf(z.enum([...CacheStatus.options, 'none'])).optional(),
  /** Sent to the provider more than once. */
  retried: z.enum(['true', 'false']).optional(),
  /** Retried with another key. */
  failedOver: z.enum(['true', 'false']).optional(),
  cost: z.enum(['known', 'unknown']).optional(),
  /** May be repeated: values of the same key are alternatives, different keys must all match. */
  tag: z.union([tag.transform((text) => [text]), z.array(tag).min(1).max(20)]).optional(),
  /** Filters whose values must not match; for a tag, `tag:` and its key. */
  not: listOf(
    z.union([z.enum(excludable), z.string().regex(/^tag:[\w.-]{1,64}$/)], 'Expected names of filters'),
  ).optional(),
}

/** Longest range of a substring search, which can't use an index. */
const substringDays = 31

const longestParts = 200

export function checkFilters(query: z.infer<z.ZodObject<typeof filterFields>>, context: z.RefinementCtx): void {
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

/** `cursor`: id of the last row that the client has; takes precedence over `offset`. */
const orderFields = { cursor: z.uuid().optional(), order: z.enum(['desc', 'asc']).default('desc') }

/** Sort order of logs; unknown tokens and costs come last. */
const LogSort = z.enum(['time', 'responseTime', 'tokens', 'cost'])
export type LogSort = z.infer<typeof LogSort>

/** Orders other than by time end here, because each page reads all matching logs. */
export const longestSorted = 10_000

/** A page of logs, newest first by default. */
export const RequestLogQuery = z
  .strictObject({
    ...filterFields,
    limit: z.coerce.number().int().min(1).max(1_000).default(20),
    offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    sort: LogSort.default('time'),
    ...orderFields,
  })
  .superRefine(checkFilters)
  .superRefine(({ sort, offset, limit, cursor }, context) => {
    const reject = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (sort === 'time') return
    if (cursor) reject('cursor', 'A cursor can only be used when logs are sorted by time')
    if (offset + limit > longestSorted)
      reject('offset', `Only the first ${longestSorted} logs can be read unless they are sorted by time`)
  })
export type RequestLogQuery = z.infer<typeof RequestLogQuery>

/** All matching logs as a file, or the next `limit` of them. Source: product.md 7.9. */
export const RequestLogExportQuery = z
  .strictObject({
    ...filterFields,
    format: z.enum(['csv', 'jsonl', 'parquet']).default('csv'),
    /** Whether CSV begins with a byte order mark, which some spreadsheets need to detect UTF-8. */
    bom: z.enum(['true', 'false']).default('false'),
    limit: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
    ...orderFields,
  })
  .superRefine(checkFilters)
export type RequestLogExportQuery = z.infer<typeof RequestLogExportQuery>

/** A log that is not stored yet, because its request or its event is in flight. */
export const PendingRequestLog = z.object({ id: z.uuid(), pending: z.literal(true) })
