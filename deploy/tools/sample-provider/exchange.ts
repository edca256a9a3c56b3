import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Faults } from './faults.ts'
import type { RequestRecord } from './ledger.ts'

/** One request under way. */
export interface Exchange {
  readonly id: string
  readonly startedAt: number
  readonly raw: ServerResponse
  readonly record: RequestRecord
  faults: Faults
}

export const exchangeDecorator = 'exchange'
export const exchangeOf = (request: FastifyRequest): Exchange => request.getDecorator<Exchange>(exchangeDecorator)

const idPrefix = `req_${randomBytes(10).toString('hex')}`
let lastId = 0

export const openExchange = (
  request: FastifyRequest,
  reply: FastifyReply,
  key: string | null,
  faults: Faults,
): Exchange => {
  const { raw } = reply
  const record: RequestRecord = {
    method: request.method,
    url: request.url,
    headers: request.headers,
    key,
    bodyBytes: 0,
    receivedAt: new Date(),
    status: null,
    answeredAt: null,
    aborted: false,
    reset: false,
  }
  raw.once('close', () => {
    if (raw.headersSent) record.status = raw.statusCode
    if (raw.writableFinished) record.answeredAt = new Date()
    else record.aborted = !record.reset
  })
  lastId += 1
  const id = idPrefix + lastId.toString(16).padStart(12, '0')
  return { id, startedAt: performance.now(), raw, record, faults }
}

/** Waits, but not longer than the client does: look at `raw.destroyed` afterwards. */
export const pause = (raw: ServerResponse, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      raw.off('close', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    raw.once('close', done)
  })
