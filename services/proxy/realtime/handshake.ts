import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { inertHeaders } from '#core/http/inert-headers.ts'
import { encodeHead } from '#core/http/raw-headers.ts'
import type { ProxyErrorCode } from '#schemas/proxy-errors.ts'
import { type ErrorDetails, errorResponse } from '../response/error-responses.ts'
import { viaProvider } from '../request/headers.ts'
import { toClientHeaders, withoutHeader } from '../response/headers.ts'
import type { RejectedHandshake, Upgrade } from './attempt.ts'

/** Browsers can't set headers on a WebSocket, so they send the token as a subprotocol, as OpenAI expects it too. */
const tokenProtocol = 'openai-insecure-api-key.'

/** Extensions are omitted, because they could hide a key. */
const handshakeHeaders = ['sec-websocket-key', 'sec-websocket-version']
const acceptHeaders = ['sec-websocket-accept', 'sec-websocket-protocol']

/** In which undici reads headers. */
const headerEncoding = 'latin1'

export const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && headers['sec-websocket-key'] !== undefined

/** The subprotocols that a client offers, and the tokens among them. */
export function readProtocols({ headers }: IncomingMessage): { protocols: string[]; tokens: string[] } {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
  return {
    protocols: offered.filter((protocol) => protocol !== '' && !protocol.startsWith(tokenProtocol)),
    tokens: offered
      .filter((protocol) => protocol.startsWith(tokenProtocol))
      .map((protocol) => protocol.slice(tokenProtocol.length)),
  }
}

/** What a provider needs besides the headers of other requests. @returns name, value, name, value … */
export function handshakeHeadersOf({ headers }: IncomingMessage, protocols: readonly string[]): string[] {
  const own = pickHeaders(headers, handshakeHeaders)
  return protocols.length > 0 ? [...own, 'sec-websocket-protocol', protocols.join(', ')] : own
}

const pickHeaders = (headers: IncomingHttpHeaders, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [name, value] : []
  })

/** Relays the provider's upgrade to the client. @param gatewayHeaders name, value, name, value … */
export function acceptUpgrade(
  socket: Duplex,
  { headers }: Upgrade,
  requestId: string,
  gatewayHeaders: readonly string[],
): void {
  const own = ['connection', 'Upgrade', 'upgrade', 'websocket', 'via', viaProvider, 'x-request-id', requestId]
  own.push(...pickHeaders(headers, acceptHeaders))
  const passed = withoutHeader(toClientHeaders(headers), 'content-length')
  socket.write(encodeHead(101, [...own, ...passed, ...gatewayHeaders]), headerEncoding)
}

/** Relays a response that the provider sent instead of an upgrade. */
export function relayRejection(
  socket: Duplex,
  { status, headers, body }: RejectedHandshake,
  requestId: string,
  gatewayHeaders: readonly string[],
): void {
  const own = ['connection', 'close', 'content-length', String(body.length), 'via', viaProvider]
  own.push('x-request-id', requestId, ...inertHeaders)
  const passed = withoutHeader(toClientHeaders(headers), 'content-length')
  socket.write(encodeHead(status, [...own, ...passed, ...gatewayHeaders]), headerEncoding)
  socket.end(body)
}

/** Ends a handshake with an error response. @param headers name, value, name, value … */
export function rejectUpgrade(
  socket: Duplex,
  code: ProxyErrorCode,
  requestId: string,
  headers: readonly string[] = [],
  details?: ErrorDetails,
): void {
  const { status, headers: own, body } = errorResponse(code, requestId, headers, details)
  socket.end(encodeHead(status, ['connection', 'close', ...own]) + body)
}
