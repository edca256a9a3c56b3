import type { IncomingHttpHeaders } from 'node:http'
import { inertHeaders } from '#core/http/inert-headers.ts'
import type { ReceivedRequest, RequestLogBuilder } from '../log/request-log-builder.ts'
import type { ClientSink } from '../response/client-sink.ts'
import { toClientHeaders, usageHeaders } from '../response/headers.ts'
import { openResponse } from '../response/open-response.ts'
import type { ProviderResponse } from '../response/response.ts'

interface Relay {
  received: ReceivedRequest
  log: RequestLogBuilder
  sink: ClientSink
  /** The gateway's own headers of the response: name, value, name, value … */
  headers: readonly string[]
}

/** Brings a response to the client, and into the log. @param upstream the provider's headers, without its key */
export function relayResponse(
  { received, log, sink, headers }: Relay,
  status: number,
  upstream: IncomingHttpHeaders,
): { response: ProviderResponse; clientHeaders: string[] } {
  const { id, timing, metadata, account } = received
  const clientHeaders = toClientHeaders(upstream)
  const response = openResponse(sink, status, upstream, {
    hidesUsage: metadata.bodyWithUsage !== undefined && account.streamUsage,
    headers: [...clientHeaders, 'x-request-id', id, ...inertHeaders, ...headers],
    summarise(usage) {
      const costNanoUsd = log.meter(usage)
      const overheadMs = timing.overheadMs()
      const times = ['x-sallyport-overhead-ms', overheadMs, 'server-timing', timing.header(overheadMs)]
      return [...times, ...usageHeaders(usage, costNanoUsd)]
    },
    timing: () => timing.header(),
  })
  log.responded(status, upstream, response)
  return { response, clientHeaders }
}
