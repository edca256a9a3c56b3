import type { Part } from './parts.ts'
import { readBody } from './read-body.ts'

const plain = (part: Part): string => {
  if (part.kind === 'result') return `result(${part.parts.map(plain).join(' ')})`
  if (part.kind === 'call') return `call ${part.name}(${part.text.replace(/\s+/g, '')})`
  return part.kind === 'text' ? part.text : `${part.kind}: ${part.text}`
}

/** One line per message: role, notes in brackets, parts. */
export function lines(endpoint: string, side: 'request' | 'response', body: string) {
  return readBody(endpoint, side, body).messages?.map(
    ({ role, notes, parts }) =>
      `${role}${notes.length > 0 ? ` [${notes.join(', ')}]` : ''}: ${parts.map(plain).join(' | ')}`,
  )
}
export const request = (endpoint: string, body: object) => lines(endpoint, 'request', JSON.stringify(body))
export const response = (body: object) => lines('', 'response', JSON.stringify(body))
export const sse = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
export const streamed = (...events: object[]) => lines('', 'response', sse(...events))
