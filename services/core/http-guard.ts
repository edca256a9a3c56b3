import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import { timesSent } from './raw-headers.ts'

const maxHeaders = 200

interface ParserError extends Error {
  code?: string
  rawPacket?: Buffer
}

/**
 * Requests that two servers in a row could read differently, or that nobody sends in good faith. The parser of Node
 * lets them through.
 * @returns the status to refuse with, undefined for a request that may go on
 */
export function refusedStatus({ method, url = '', rawHeaders, headers }: IncomingMessage): number | undefined {
  if (rawHeaders.length / 2 > maxHeaders) return 431
  if (method === 'TRACE') return 405
  if (!url.startsWith('/') || url.startsWith('//')) return 400
  if (timesSent(rawHeaders, 'host') !== 1) return 400
  const encoding = headers['transfer-encoding']
  return encoding === undefined || encoding.toLowerCase() === 'chunked' ? undefined : 400
}

/** Answers a refused request; the connection goes with it, because nobody knows where the next request begins. */
export function refuseRequest(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close', 'content-type': 'text/plain' })
  response.end(`${STATUS_CODES[status]}\n`)
}

/** Answers what the parser could not read. */
export function refuseUnreadable(error: ParserError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = statusOf(error)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

function statusOf({ code, rawPacket }: ParserError): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  if (code !== 'HPE_HEADER_OVERFLOW') return 400
  // The first line did not end: it is the address that is too long, not the headers.
  return rawPacket?.includes('\n') === false ? 414 : 431
}
