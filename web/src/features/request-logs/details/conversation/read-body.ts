import type { BodySide } from '../cut-text.ts'
import { assembleStream, isSse, readEvents } from './assemble-stream.ts'
import { type Message, requestMessages, responseMessages } from './messages.ts'
import { parseCutJson } from './parse-cut-json.ts'

interface ReadBody {
  /** Number of events of a stream. */
  events: number | undefined
  /** undefined: not a conversation. */
  messages: Message[] | undefined
}

export function readBody(endpoint: string, side: BodySide, body: string): ReadBody {
  if (side === 'request') return { events: undefined, messages: requestMessages(endpoint, parseCutJson(body)) }
  if (!isSse(body)) return { events: undefined, messages: responseMessages(parseCutJson(body)) }
  const events = readEvents(body)
  return { events: events.length, messages: responseMessages(assembleStream(events)) }
}
