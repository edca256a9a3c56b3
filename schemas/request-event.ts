import { z } from 'zod'
import { count } from './numbers.ts'
import { RequestOutcome } from './request-outcome.ts'

/** Source: product.md 6.5. */
export const CostSource = z.enum(['exact', 'estimated', 'unknown']).describe('How accurate the cost is.')
export type CostSource = z.infer<typeof CostSource>

export const CacheStatus = z.enum(['hit', 'miss']).describe("`hit`: the gateway's cache served the response.")

export const UpstreamAttempt = z.object({
  apiKeyId: z.uuid(),
  startedAfterMs: count.describe('Since the request arrived, ms.'),
  durationMs: count,
  result: z.string().describe('Status of the response, or an error code.'),
})

/** A response within a WebSocket session. */
export const SessionResponse = z.object({
  endedAfterMs: count.describe("Time from the arrival of the session's request to the end of this response, ms."),
  model: z.string().nullable(),
  status: z
    .string()
    .nullable()
    .describe(
      'As the provider names it, such as `completed` or `cancelled`; `unfinished` if the session ended before it.',
    ),
  promptTokens: count.nullable(),
  completionTokens: count.nullable(),
})

const headers = z.record(z.string(), z.string())

/**
 * One finished request, sent from proxy to worker. Durations in ms, sizes in bytes, money in nano-USD; `null` means
 * unknown or not kept, never zero. An incompatible change needs a new version, and the worker must still read all
 * versions that may be in a spool or queue.
 */
export const RequestEvent = z.object({
  version: z.literal(1),
  /** UUIDv7 of the request's arrival, whose time is the log's `createdAt`. */
  id: z.uuidv7(),
  accountId: z.uuid(),
  tokenId: z.uuid().nullable(),
  apiKeyId: z.uuid().nullable(),
  method: z.string(),
  /** Path after the proxy's prefix, without query. */
  endpoint: z.string(),
  model: z.string().nullable(),
  /** Without `?`, credentials masked; `null`: none. */
  query: z.string().nullable().default(null),
  /** Status sent to the client; 0 without a response. */
  status: z.number().int().min(0).max(999),
  responseTimeMs: count,
  timeToFirstByteMs: count.nullable(),
  /** Time added by the gateway: not spent waiting for the provider, µs. */
  overheadUs: count.nullable(),
  attempts: count,
  attemptLog: z.array(UpstreamAttempt),
  /** The first responses of a WebSocket session. */
  responses: z.array(SessionResponse).optional(),
  cacheStatus: CacheStatus.nullable(),
  providerRequestId: z.string().nullable(),
  streamed: z.boolean(),
  promptTokens: count.nullable(),
  completionTokens: count.nullable(),
  cachedTokens: count.nullable(),
  costNanoUsd: count.nullable(),
  costSource: CostSource,
  requestBytes: count,
  responseBytes: count,
  errorMessage: z.string().nullable(),
  /** `error.code` and `error.type` of the provider's or the gateway's response. */
  errorCode: z.string().nullable().default(null),
  errorType: z.string().nullable().default(null),
  clientAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** Tags from the client and its token. Source: product.md 7.11. */
  tags: z.record(z.string(), z.string()).default({}),
  requestHeaders: headers,
  responseHeaders: headers,
  requestBody: z.string().nullable(),
  responseBody: z.string().nullable(),
  outcome: RequestOutcome,
  /** More than one if the event represents several requests that never went to the provider. */
  requestCount: z.number().int().positive().default(1),
})
export type RequestEvent = z.infer<typeof RequestEvent>

/** Placeholders for the fields that are known only at the end of a request. */
export const pendingEvent = {
  status: 0,
  responseTimeMs: 0,
  timeToFirstByteMs: null,
  overheadUs: null,
  attempts: 0,
  cacheStatus: null,
  providerRequestId: null,
  promptTokens: null,
  completionTokens: null,
  cachedTokens: null,
  costNanoUsd: null,
  costSource: 'unknown',
  responseBytes: 0,
  errorMessage: null,
  errorCode: null,
  errorType: null,
  responseBody: null,
  outcome: 'interrupted',
  requestCount: 1,
} as const satisfies Partial<RequestEvent>
