import { z } from 'zod'

/** How a request ended. `interrupted`: the proxy itself died while it was under way. */
export const RequestOutcome = z.enum(['completed', 'client_aborted', 'upstream_failed', 'interrupted'])
export type RequestOutcome = z.infer<typeof RequestOutcome>

/** How the cost is known. Source: decisions.md, "Logged fields". */
export const CostSource = z.enum(['exact', 'estimated', 'unknown'])
export type CostSource = z.infer<typeof CostSource>

/** Whether the gateway's own cache answered; `null`: the cache was not asked. */
export const CacheStatus = z.enum(['hit', 'miss'])

/** One try to get an answer from the provider: with which key, when and how it went. */
export const UpstreamAttempt = z.object({
  apiKeyId: z.uuid(),
  /** Since the request arrived, ms. */
  startedAfterMs: z.number().int().nonnegative(),
  durationMs: z.number().int().nonnegative(),
  /** The status that came back, or the code of what went wrong. */
  result: z.string(),
})

const headers = z.record(z.string(), z.string())
const count = z.number().int().nonnegative()

/**
 * The only message from proxy to worker: one finished request. Durations are ms, sizes bytes, money
 * nano-USD; `null` means not known or not kept, never zero. A change that a reader of version 1 can't take gets a new
 * version; the worker reads all versions that may still be in a spool or a queue.
 */
export const RequestEvent = z.object({
  version: z.literal(1),
  /** UUIDv7, minted when the request arrives; its time is the log's `createdAt`. */
  id: z.uuidv7(),
  accountId: z.uuid(),
  tokenId: z.uuid().nullable(),
  apiKeyId: z.uuid().nullable(),
  method: z.string(),
  /** Path after the proxy's prefix, without query. */
  endpoint: z.string(),
  model: z.string().nullable(),
  /** Status that went to the client; 0 when none did. */
  status: z.number().int().min(0).max(999),
  responseTimeMs: count,
  timeToFirstByteMs: count.nullable(),
  /** What the gateway itself added, µs: the time of the request that was not spent waiting for the provider. */
  overheadUs: count.nullable(),
  /** Tries that reached for the provider. */
  attempts: count,
  attemptLog: z.array(UpstreamAttempt),
  cacheStatus: CacheStatus.nullable(),
  /** The provider's own id of the answer. */
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
  clientAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestHeaders: headers,
  responseHeaders: headers,
  requestBody: z.string().nullable(),
  responseBody: z.string().nullable(),
  outcome: RequestOutcome,
  /** How many requests this stands for: more than one only where they never went to the provider. */
  requestCount: z.number().int().positive().default(1),
})
export type RequestEvent = z.infer<typeof RequestEvent>

/** What the event of a request says as long as nothing is known of how it ended. */
export const unansweredEvent = {
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
  responseBody: null,
  outcome: 'interrupted',
  requestCount: 1,
} as const satisfies Partial<RequestEvent>
