import type { IncomingHttpHeaders } from 'node:http'
import { inertHeaders } from '#core/http/inert-headers.ts'
import { varyOf } from '../response/cors.ts'
import { EventStreamResponse } from '../response/event-stream.ts'
import { framingOf } from '../response/framing.ts'
import { isModelList } from '../auth/token-restrictions.ts'
import { costHeader, debugHeader, toClientHeaders, usageHeaders, withoutHeader } from '../response/headers.ts'
import { JsonResponse } from '../response/json.ts'
import { ModelListResponse } from '../response/model-list.ts'
import { PassThroughResponse } from '../response/pass-through.ts'
import type { ProviderResponse } from '../response/response.ts'
import { viaProvider } from '../request/headers.ts'
import type { TokenUsage } from '../usage/token-usage.ts'
import type { ProxiedRequest } from './proxied-request.ts'

export interface RelayedResponse {
  response: ProviderResponse
  clientHeaders: string[]
}

/** Starts sending a response to the client. @param upstream the provider's headers, with its key redacted */
export function relayResponse(
  proxied: Pick<ProxiedRequest, 'received' | 'response' | 'log' | 'sink' | 'headers' | 'reservation'>,
  status: number,
  upstream: IncomingHttpHeaders,
): RelayedResponse {
  const { received, log, sink, headers: gatewayHeaders } = proxied
  const { id, timing, metadata, account, request, target } = received
  const isDebugged = request.headers[debugHeader] !== undefined
  const clientHeaders = toClientHeaders(upstream)
  const headers = [...clientHeaders, 'via', viaProvider, 'x-request-id', id, ...inertHeaders, ...gatewayHeaders]
  headers.push(...varyOf(proxied.response))

  function open(): ProviderResponse {
    if (account.models !== null && status < 300 && isModelList(request.method, target)) {
      return new ModelListResponse(sink, { status, headers }, account.models)
    }
    const hasLength = upstream['content-length'] !== undefined
    let framing = framingOf(upstream['content-type'])
    // Some providers stream with the content type of JSON.
    if (framing === 'json' && metadata.isStream && !hasLength && status < 400) framing = 'lines'
    if (framing === 'json') return new JsonResponse(sink, { status, headers }, summarise, !hasLength && status < 400)
    if (isDebugged) headers.push('server-timing', timing.header())
    if (framing === 'none') return new PassThroughResponse(sink, { status, headers })
    // Otherwise nginx, with its defaults in front of the gateway, would send a short stream all at once at its end.
    headers.push('x-accel-buffering', 'no')
    const hidesUsage = metadata.bodyWithUsage !== undefined && account.streamUsage
    // Without its usage, or ended by a budget, a stream has another length than announced.
    const mayChange = hidesUsage || (proxied.reservation !== undefined && request.method !== 'GET')
    const head = { status, headers: mayChange ? withoutHeader(headers, 'content-length') : headers }
    const response = new EventStreamResponse(sink, head, { framing, hidesUsage, isGoogle: metadata.isGoogle })
    sink.flushHead()
    return response
  }

  function summarise(usage: TokenUsage | undefined): string[] {
    log.meter(usage)
    const cost = costHeader(log.event)
    if (!isDebugged) return cost
    const overheadMs = timing.overheadMs()
    const times = ['x-sallyport-overhead-ms', overheadMs, 'server-timing', timing.header(overheadMs)]
    return [...cost, ...times, ...usageHeaders(log.event)]
  }

  const response = open()
  log.responded(status, upstream, response)
  return { response, clientHeaders }
}
