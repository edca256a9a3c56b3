import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Faults, noFaults } from './faults.ts'

/** The provider's record of one request, created at arrival and completed when the connection closes. */
export interface RequestRecord {
  method: string
  url: string
  headers: IncomingHttpHeaders
  key: string | undefined
  /** Bytes of the body that were read. */
  bodyBytes: number
  /** The sent status; null until then. */
  status: number | null
  /** The client disconnected before it had the whole response. */
  aborted: boolean
  /** The provider itself cut the connection, as requested. */
  reset: boolean
}

/** A request in progress. */
export interface ReceivedRequest {
  id: string
  startedAt: number
  raw: ServerResponse
  /** Aborts when the connection closes. */
  closed: AbortSignal
  record: RequestRecord
  faults: Faults
}

export const requestDecorator = 'received'
export const receivedOf = (request: FastifyRequest): ReceivedRequest =>
  request.getDecorator<ReceivedRequest>(requestDecorator)

export function receive(request: FastifyRequest, { raw }: FastifyReply): ReceivedRequest {
  const { method, url, headers } = request
  const key = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const record: RequestRecord = { method, url, headers, key, bodyBytes: 0, status: null, aborted: false, reset: false }
  const closing = new AbortController()
  raw.once('close', () => {
    if (raw.headersSent) record.status = raw.statusCode
    record.aborted = !raw.writableFinished && !record.reset
    closing.abort()
  })
  const id = `req_${randomBytes(16).toString('hex')}`
  return { id, startedAt: performance.now(), raw, closed: closing.signal, record, faults: noFaults }
}
