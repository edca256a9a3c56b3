import type { IncomingHttpHeaders } from 'node:http'

/** What the provider saw of one request. It is written at arrival and completed as the request goes on. */
export interface RequestRecord {
  method: string
  url: string
  headers: IncomingHttpHeaders
  key: string | null
  /** Bytes of the body that were read. */
  bodyBytes: number
  receivedAt: Date
  /** Status that was answered; `null` as long as none was. */
  status: number | null
  /** When the last byte of the answer was handed to the network; `null` when that never happened. */
  answeredAt: Date | null
  /** The client left before it had the whole answer. */
  aborted: boolean
  /** The provider itself cut the connection, as asked for. */
  reset: boolean
}

/** Keeps at most `limit` records, the newest; the oldest go a tenth at a time, because single shifts are slow. */
export const createLedger = (limit: number) => {
  const received: RequestRecord[] = []
  const add = (record: RequestRecord): void => {
    if (limit === 0) return
    if (received.length >= limit) received.splice(0, Math.ceil(limit / 10))
    received.push(record)
  }
  return { received, add }
}
