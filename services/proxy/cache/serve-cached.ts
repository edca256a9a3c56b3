import type { ServerResponse } from 'node:http'
import { inertHeaders } from '#core/http/inert-headers.ts'
import type { RequestServices } from '../admission/services.ts'
import { createCacheHitLog, type ReceivedRequest } from '../log/request-log-builder.ts'
import { withoutHeader } from '../response/headers.ts'
import type { StoredResponse } from '../response/response.ts'

export async function serveCached(
  received: ReceivedRequest,
  response: ServerResponse,
  cached: StoredResponse,
  { foldedLogs, observer }: Pick<RequestServices, 'foldedLogs' | 'observer'>,
): Promise<void> {
  const event = createCacheHitLog(received, cached, response.destroyed)
  await foldedLogs.record('cache-hit', event)
  observer.finished(event)
  const { status, headers, body } = cached
  const own = ['content-length', String(body.length), 'x-request-id', received.id, ...inertHeaders]
  response.writeHead(status, [...withoutHeader(headers, 'content-length'), ...own, 'x-sallyport-cache', 'hit'])
  response.end(body)
}
