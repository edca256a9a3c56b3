import { z } from 'zod'
import { RequestOutcome } from './request-outcome.ts'

/** How the cost is known. Source: product.md 6.5. */
export const CostSource = z.enum(['exact', 'estimated', 'unknown'])
export type CostSource = z.infer<typeof CostSource>

/** Whether the gateway's own cache served the response; `null`: the cache was not used. */
export const CacheStatus = z.enum(['hit', 'miss'])

/** One attempt to get a response from the provider: its key, its time and its result. */
export const UpstreamAttempt = z.object({
  apiKeyId: z.uuid(),
  /** Since the request arrived, ms. */
  startedAfterMs: z.number().int().nonnegative(),
  durationMs: z.number().int().nonnegative(),
  /** The status of the response, or the code of the error. */
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
  /** Status sent to the client; 0 without a response. */
  status: z.number().int().min(0).max(999),
  responseTimeMs: count,
  timeToFirstByteMs: count.nullable(),
  /** What the gateway itself added, µs: the time of the request that was not spent waiting for the provider. */
  overheadUs: count.nullable(),
  /** Attempts to reach the provider. */
  attempts: count,
  attemptLog: z.array(UpstreamAttempt),
  cacheStatus: CacheStatus.nullable(),
  /** The provider's own id of the response. */
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
  /** How many requests this stands for: more than one only if they never went to the provider. */
  requestCount: z.number().int().positive().default(1),
})
export type RequestEvent = z.infer<typeof RequestEvent>

/** The fields of an event that are known only when its request ends. */
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
