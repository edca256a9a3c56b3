import { expect, test } from 'vitest'
import type { ReceivedRequest } from '../log/request-log-builder.ts'
import { noMetadata } from '../request/metadata.ts'
import type { ResponseHead } from '../response/response.ts'
import { relayResponse } from './relay-response.ts'

const reservation = { recordTokens: () => false, extend: async () => true }

test.each([
  ['POST', undefined, true],
  ['POST', reservation, false],
  ['GET', reservation, true],
])('%s with the reservation %j: the length of a stream is passed on: %s', (method, reserved, isPassed) => {
  const heads: ResponseHead[] = []
  const request = { method, headers: {} }
  const account = { models: null, streamUsage: true }
  const proxied = {
    received: { id: 'r', request, account, metadata: noMetadata } as ReceivedRequest,
    response: { hasHeader: () => false } as never,
    log: { responded: () => undefined } as never,
    sink: { writeHead: (head: ResponseHead) => heads.push(head), flushHead: () => undefined } as never,
    headers: [],
    reservation: reserved,
  }
  relayResponse(proxied, 200, { 'content-type': 'text/event-stream', 'content-length': '100' })
  expect(heads[0]!.headers.includes('content-length')).toBe(isPassed)
})
