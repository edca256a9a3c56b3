import type { IncomingHttpHeaders } from 'node:http'
import { withoutHeader } from './headers.ts'
import type { TokenUsage } from '../usage/token-usage.ts'
import type { ProviderResponse } from './response.ts'
import type { ClientSink } from './client-sink.ts'
import { PassThroughResponse } from './pass-through.ts'
import { EventStreamResponse } from './event-stream.ts'
import { JsonResponse } from './json.ts'

interface OpenResponseOptions {
  /** Whether usage is in the stream only because the gateway asked for it. */
  hidesUsage: boolean
  headers: string[]
  summarise: (usage: TokenUsage | undefined) => string[]
  /** The `server-timing` of a response that is not held until it is whole. */
  timing: () => string
}

/** Chooses how a response goes to the client, by its content type. */
export function openResponse(
  sink: ClientSink,
  status: number,
  upstream: IncomingHttpHeaders,
  options: OpenResponseOptions,
): ProviderResponse {
  const type = upstream['content-type'] ?? ''
  const { headers, hidesUsage, summarise, timing } = options
  if (/\bjson\b/.test(type)) return new JsonResponse(sink, { status, headers }, summarise)
  headers.push('server-timing', timing())
  if (!type.startsWith('text/event-stream')) return new PassThroughResponse(sink, { status, headers })
  const response = new EventStreamResponse(
    sink,
    // A stream that loses its usage frame is shorter than its provider said.
    { status, headers: hidesUsage ? withoutHeader(headers, 'content-length') : headers },
    hidesUsage,
  )
  sink.flushHead()
  return response
}
