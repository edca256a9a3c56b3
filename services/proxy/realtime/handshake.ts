import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { inertHeaders } from '#core/http/inert-headers.ts'
import { hopHeader } from '../request/hops.ts'
import { viaClient } from '../request/via.ts'
import { errorBody, type ErrorCode, errorResponses, requiredHeaders } from '../response/error-responses.ts'

/** Browsers can't set headers on a WebSocket, so they send the token as a subprotocol, as to the provider itself. */
const tokenProtocol = 'openai-insecure-api-key.'

/** Headers of the client's handshake that are forwarded. Without extensions, which could hide a key. */
const handshakeHeaders = ['sec-websocket-key', 'sec-websocket-version', 'openai-beta', 'user-agent']
const acceptHeaders = ['sec-websocket-accept', 'sec-websocket-protocol']

export const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && headers['sec-websocket-key'] !== undefined

/** The subprotocols that a client offers, and its token. */
export function readProtocols({ headers }: IncomingMessage): { protocols: string[]; token: string | undefined } {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
  const token = offered.find((protocol) => protocol.startsWith(tokenProtocol))
  return {
    protocols: offered.filter((protocol) => protocol !== '' && protocol !== token),
    token: token?.slice(tokenProtocol.length),
  }
}

/** @returns name, value, name, value … as undici takes it */
export function toUpstreamHandshake(
  request: IncomingMessage,
  { secret, hop, protocols }: { secret: string; hop: string; protocols: readonly string[] },
): string[] {
  const outgoing = ['authorization', `Bearer ${secret}`, hopHeader, hop, 'via', viaClient(request)]
  for (const name of handshakeHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') outgoing.push(name, value)
  }
  if (protocols.length > 0) outgoing.push('sec-websocket-protocol', protocols.join(', '))
  return outgoing
}

/** Passes the provider's upgrade on to the client. */
export function acceptUpgrade(
  socket: Duplex,
  upstream: Record<string, string | string[] | undefined>,
  requestId: string,
): void {
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    'Upgrade: websocket',
    `x-request-id: ${requestId}`,
  ]
  for (const name of acceptHeaders) {
    const value = upstream[name]
    if (typeof value === 'string') lines.push(`${name}: ${value}`)
  }
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
}

/** Ends a handshake with an error response. @param headers name, value, name, value … */
export function rejectUpgrade(
  socket: Duplex,
  code: ErrorCode,
  requestId: string,
  headers: readonly string[] = [],
): void {
  const { status } = errorResponses[code]
  const body = errorBody(code)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
  ]
  const all = [...requiredHeaders(code), ...inertHeaders, ...headers]
  for (let at = 0; at < all.length; at += 2) lines.push(`${all[at]}: ${all[at + 1]}`)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}
