import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { inertHeaders } from './inert-headers.ts'
import { encodeHead, timesSent } from './raw-headers.ts'
import { kib } from '#core/units.ts'
import { httpErrors } from '#schemas/proxy-errors.ts'

const maxHeaders = 200
export const maxHeaderBytes = 64 * kib
const maxUrlBytes = 16 * kib

/** Methods of the proxy; the control plane accepts fewer on each path. */
export const allowedMethods = 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE'

/** One name or address, with or without a port; neither a list nor a user. */
const hostHeader = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

interface ParserError extends Error {
  code?: string
}

type RejectedStatus = keyof typeof httpErrors

/**
 * Finds requests that Node's parser accepts, but that two servers in a row could read differently.
 * @returns the status to reject the request with
 */
export function rejectedStatus({
  httpVersionMajor,
  httpVersionMinor,
  method,
  url = '',
  rawHeaders,
  headers,
}: IncomingMessage): RejectedStatus | undefined {
  if (rawHeaders.length / 2 > maxHeaders) return 431
  // A request line without a version is HTTP/0.9: a URL cut off by a line break.
  if (httpVersionMajor !== 1) return 400
  if (method === 'TRACE') return 405
  if (!url.startsWith('/') || url.startsWith('//')) return 400
  if (url.length > maxUrlBytes) return 414
  const { host } = headers
  // HTTP/1.0 has no Host header.
  if (host === undefined ? httpVersionMinor !== 0 : timesSent(rawHeaders, 'host') !== 1 || !hostHeader.test(host)) {
    return 400
  }
  const encoding = headers['transfer-encoding']
  if (encoding === undefined) return undefined
  // HTTP/1.0 has no chunked encoding either: a server before this one may have read the body differently.
  return encoding.toLowerCase() === 'chunked' && httpVersionMinor !== 0 ? undefined : 400
}

/** Sends the error response and closes the connection, because it is unknown where the next request begins. */
export function rejectRequest(response: ServerResponse, status: RejectedStatus): void {
  const body = bodyOf(status)
  // Which the header alone does not change, so that a request in the same packet would begin.
  response.shouldKeepAlive = false
  response.writeHead(status, headersOf(status, body))
  response.end(body)
}

/**
 * Responds to bytes that the parser could not read.
 * @param last response on this connection, which must not be interrupted
 */
export function rejectUnreadable(error: ParserError, socket: Duplex, last: ServerResponse | undefined): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (last?.headersSent && !last.writableFinished) return void (last.writableEnded ? socket.end() : socket.destroy())
  const status = statusOf(error)
  const body = bodyOf(status)
  socket.end(encodeHead(status, headersOf(status, body)) + body)
}

function statusOf({ code }: ParserError): RejectedStatus {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
}

/** An error in the format that SDKs of the provider expect. */
function bodyOf(status: RejectedStatus): string {
  const [code, message] = httpErrors[status]
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } })
}

/** @returns name, value, name, value … */
const headersOf = (status: RejectedStatus, body: string) => [
  'connection',
  'close',
  'content-type',
  'application/json; charset=utf-8',
  'content-length',
  String(Buffer.byteLength(body)),
  ...(status === 405 ? ['allow', allowedMethods] : []),
  ...inertHeaders,
]
