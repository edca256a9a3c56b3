import { z } from 'zod'
import { PendingRequestLog, RequestLog } from '#schemas/request-logs.ts'

/** One log in full, or the news that it is still on its way to the store. */
export const LogDetails = z.union([RequestLog, PendingRequestLog])
export type LogDetails = z.infer<typeof LogDetails>

/** The log, when it has arrived. */
export const storedLog = (details: LogDetails | undefined): RequestLog | undefined =>
  details && !('pending' in details) ? details : undefined
