import type { RequestLogSummary } from '#schemas/request-logs.ts'

/** The number of requests in logs, of which some represent several. */
export const countRequests = (logs: readonly Pick<RequestLogSummary, 'requestCount'>[]) =>
  logs.reduce((sum, { requestCount }) => sum + requestCount, 0)
