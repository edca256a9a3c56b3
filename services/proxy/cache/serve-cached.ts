import type { ServerResponse } from 'node:http'
import { inertHeaders } from '#core/http/inert-headers.ts'
import type { FoldedLogs } from '../log/folded-logs.ts'
import { createCacheHitLog, type ReceivedRequest } from '../log/request-log-builder.ts'
import { withoutHeader } from '../response/headers.ts'
import type { StoredResponse } from '../response/response.ts'
import type { RequestObserver } from '../telemetry/metrics.ts'

/** A response ends once its log is noted. */
export async function serveCached(
  received: ReceivedRequest,
  response: ServerResponse,
  cached: StoredResponse,
  { foldedLogs, observer }: { foldedLogs: FoldedLogs; observer: Pick<RequestObserver, 'finished'> },
): Promise<void> {
  const event = createCacheHitLog(received, cached, response.destroyed)
  await foldedLogs.record('cache-hit', event)
  observer.finished(event)
  const { status, headers, body } = cached
  const own = ['content-length', String(body.length), 'x-request-id', received.id, ...inertHeaders]
  response.writeHead(status, [...withoutHeader(headers, 'content-length'), ...own, 'x-sallyport-cache', 'hit'])
  response.end(body)
}
