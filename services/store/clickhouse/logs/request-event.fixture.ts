import { v7 as uuidv7 } from 'uuid'
import type { RequestEvent } from '#schemas/request-event.ts'

/** Orders the ids of one millisecond. The order that `uuid` keeps by itself would also keep a time that a test had set. */
let made = 0

/** A plausible completed request; a test sets only what it depends on. */
export const requestEvent = (changes: Partial<RequestEvent> = {}): RequestEvent => ({
  version: 1,
  id: uuidv7({ seq: made++ }),
  accountId: '0199a000-0000-7000-8000-000000000001',
  tokenId: '0199a000-0000-7000-8000-000000000002',
  apiKeyId: '0199a000-0000-7000-8000-000000000003',
  method: 'POST',
  endpoint: '/v1/chat/completions',
  model: 'gpt-4o',
  status: 200,
  responseTimeMs: 420,
  timeToFirstByteMs: 120,
  overheadUs: 310,
  attempts: 1,
  attemptLog: [{ apiKeyId: '0199a000-0000-7000-8000-000000000003', startedAfterMs: 0, durationMs: 419, result: '200' }],
  cacheStatus: null,
  providerRequestId: 'req_fixture',
  streamed: false,
  promptTokens: 12,
  completionTokens: 34,
  cachedTokens: 0,
  costNanoUsd: 370_000,
  costSource: 'exact',
  requestBytes: 120,
  responseBytes: 640,
  errorMessage: null,
  errorCode: null,
  errorType: null,
  query: null,
  tags: {},
  clientAddress: '127.0.0.1',
  userAgent: 'openai-node/7',
  requestHeaders: { 'content-type': 'application/json' },
  responseHeaders: { 'content-type': 'application/json' },
  requestBody: null,
  responseBody: null,
  outcome: 'completed',
  requestCount: 1,
  ...changes,
})
