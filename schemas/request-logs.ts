import { z } from 'zod'
import { CostSource, RequestOutcome } from './request-event.ts'

/** A row of the history. Durations ms, money nano-USD. Source: specification §3, "Request log"; decisions.md, "Logged fields". */
export const RequestLogSummary = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  method: z.string(),
  endpoint: z.string(),
  model: z.string().nullable(),
  /** 0: no answer reached the client. */
  responseStatus: z.number().int(),
  responseTime: z.number().int(),
  timeToFirstByte: z.number().int().nullable(),
  attempts: z.number().int(),
  streamed: z.boolean(),
  promptTokens: z.number().int().nullable(),
  completionTokens: z.number().int().nullable(),
  cachedTokens: z.number().int().nullable(),
  costNanoUsd: z.number().int().nullable(),
  costSource: CostSource,
  errorMessage: z.string().nullable(),
  apiKeyId: z.uuid().nullable(),
  tokenId: z.uuid().nullable(),
  outcome: RequestOutcome,
})
export type RequestLogSummary = z.infer<typeof RequestLogSummary>

const headers = z.record(z.string(), z.string()).nullable()

/** One log in full. Bodies are `null` unless the account keeps them. */
export const RequestLog = RequestLogSummary.extend({
  clientAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestHeaders: headers,
  responseHeaders: headers,
  requestBody: z.string().nullable(),
  responseBody: z.string().nullable(),
})
export type RequestLog = z.infer<typeof RequestLog>

/** Newest first. Source: specification §7, `GET /api/logs`. */
export const RequestLogQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(20),
  offset: z.coerce.number().int().min(0).default(0),
})
export type RequestLogQuery = z.infer<typeof RequestLogQuery>
