import { z } from 'zod'
import { RequestEvent } from '#schemas/request-event.ts'
import { RequestLog } from '#schemas/request-logs.ts'

const StoredLog = RequestLog.extend({
  pending: z.literal(false).default(false),
  overheadUs: z.number().nullable().default(null),
  attemptLog: RequestEvent.shape.attemptLog.default([]),
  cacheStatus: RequestEvent.shape.cacheStatus.default(null),
  providerRequestId: z.string().nullable().default(null),
})
export type StoredLog = z.infer<typeof StoredLog>

/** One log in full, or the news that it is still on its way to the store. */
export const LogDetails = z.union([StoredLog, z.object({ id: z.uuid(), pending: z.literal(true) })])
export type LogDetails = z.infer<typeof LogDetails>
