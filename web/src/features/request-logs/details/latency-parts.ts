import type { RequestLog } from '#schemas/request-logs.ts'

type Timing = Pick<RequestLog, 'responseTime' | 'timeToFirstByte' | 'overheadUs'>

export type LatencyPart = { name: 'Gateway' | 'First byte' | 'Stream'; ms: number }

/** Where the time of a request went: in the gateway, waiting for the provider, receiving its response. */
export function latencyParts({ responseTime, timeToFirstByte, overheadUs }: Timing): LatencyPart[] {
  const gateway = Math.min((overheadUs ?? 0) / 1_000, responseTime)
  const firstByte = timeToFirstByte === null ? responseTime : Math.min(timeToFirstByte, responseTime)
  return [
    { name: 'Gateway', ms: gateway },
    { name: 'First byte', ms: Math.max(0, firstByte - gateway) },
    { name: 'Stream', ms: Math.max(0, responseTime - Math.max(firstByte, gateway)) },
  ]
}
