import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import { inertHeaders } from './inert-headers.ts'
import { timesSent } from './raw-headers.ts'
import { kib } from '#core/units.ts'
import { httpErrors } from '#schemas/proxy-errors.ts'

const maxHeaders = 200
export const maxHeaderBytes = 16 * kib

interface ParserError extends Error {
  code?: string
  rawPacket?: Buffer
}

type RefusedStatus = keyof typeof httpErrors

/**
 * Requests that two servers in a row could read differently, or that nobody sends in good faith. The parser of Node
 * lets them through.
 * @returns the status to refuse with, undefined for a request that may go on
 */
export function refusedStatus({
  httpVersionMajor,
  method,
  url = '',
  rawHeaders,
  headers,
}: IncomingMessage): RefusedStatus | undefined {
  if (rawHeaders.length / 2 > maxHeaders) return 431
  // A first line without a version is HTTP/0.9: an address that was cut off by a line break.
  if (httpVersionMajor !== 1) return 400
  if (method === 'TRACE') return 405
  if (!url.startsWith('/') || url.startsWith('//')) return 400
  if (timesSent(rawHeaders, 'host') !== 1) return 400
  const encoding = headers['transfer-encoding']
  return encoding === undefined || encoding.toLowerCase() === 'chunked' ? undefined : 400
}

/** Answers a refused request; the connection goes with it, because nobody knows where the next request begins. */
export function refuseRequest(response: ServerResponse, status: RefusedStatus): void {
  const body = bodyOf(status)
  response.writeHead(status, headersOf(body))
  response.end(body)
}

/**
 * Answers what the parser could not read.
 * @param last answer on this connection: while it is under way nothing may get in between
 */
export function refuseUnreadable(error: ParserError, socket: Duplex, last: ServerResponse | undefined): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (last?.headersSent && !last.writableFinished) return void (last.writableEnded ? socket.end() : socket.destroy())
  const status = statusOf(error)
  const body = bodyOf(status)
  const headers = headersOf(body)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
  for (let at = 0; at < headers.length; at += 2) head.push(`${headers[at]}: ${headers[at + 1]}`)
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function statusOf({ code, rawPacket }: ParserError): RefusedStatus {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  if (code !== 'HPE_HEADER_OVERFLOW') return 400
  const lineEnd = rawPacket?.indexOf('\n') ?? -1
  // It is the address that is too long, not the headers.
  return lineEnd === -1 || lineEnd > maxHeaderBytes ? 414 : 431
}

/** The shape in which SDKs of the provider expect errors. */
function bodyOf(status: RefusedStatus): string {
  const [code, message] = httpErrors[status]
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } })
}

/** @returns name, value, name, value … */
const headersOf = (body: string) => [
  'connection',
  'close',
  'content-type',
  'application/json; charset=utf-8',
  'content-length',
  String(Buffer.byteLength(body)),
  ...inertHeaders,
]
