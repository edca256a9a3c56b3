import type { IncomingHttpHeaders } from 'node:http'
import { withoutHeader } from '../request/headers.ts'
import type { TokenUsage } from '../usage/token-usage.ts'
import type { Answer } from './response.ts'
import type { ClientSink } from './client-sink.ts'
import { PassingAnswer } from './pass-through.ts'
import { StreamedAnswer } from './event-stream.ts'
import { WholeAnswer } from './json.ts'

interface OpenAnswerOptions {
  /** Whether usage is in the stream only because the gateway asked for it. */
  hidesUsage: boolean
  headers: string[]
  summarise: (usage: TokenUsage | undefined) => string[]
  /** The `server-timing` of an answer that is not held until it is whole. */
  timing: () => string
}

/** Chooses how an answer goes to the client, by what it is. */
export function openAnswer(
  sink: ClientSink,
  status: number,
  upstream: IncomingHttpHeaders,
  options: OpenAnswerOptions,
): Answer {
  const type = upstream['content-type'] ?? ''
  const { headers, hidesUsage, summarise, timing } = options
  if (/\bjson\b/.test(type)) return new WholeAnswer(sink, { status, headers }, summarise)
  headers.push('server-timing', timing())
  if (!type.startsWith('text/event-stream')) return new PassingAnswer(sink, { status, headers })
  const answer = new StreamedAnswer(
    sink,
    // A stream that loses a frame on the way is shorter than its provider said.
    { status, headers: hidesUsage ? withoutHeader(headers, 'content-length') : headers },
    hidesUsage,
  )
  sink.flushHead()
  return answer
}
