import type { RequestLogSummary } from '#schemas/request-logs.ts'
import { formatCount } from '#web/lib/text/format.ts'

/** Number of requests that a row counts, when there are several. */
export function RequestCount({ log }: { log: Pick<RequestLogSummary, 'requestCount'> }) {
  if (log.requestCount === 1) return null
  const requests = formatCount(log.requestCount)
  return (
    <span className="ml-2 rounded-sm bg-subtle px-1.5 py-0.5 font-sans text-xs" title={`${requests} requests`}>
      ×{requests}
    </span>
  )
}
