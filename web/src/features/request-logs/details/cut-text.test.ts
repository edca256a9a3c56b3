import { expect, test } from 'vitest'
import { keptBodyBytes, type RequestLog } from '#schemas/request-logs.ts'
import { cutRequestText, cutText } from './cut-text.ts'

const log = (requestBody: string | null, requestBytes: number, requestCount = 1) =>
  ({ requestBody, requestBytes, responseBody: requestBody, responseBytes: requestBytes, requestCount }) as RequestLog

test.each<[string, RequestLog, string | null]>([
  ['a whole body', log('Grüße', 7), null],
  ['a body as long as what is kept', log('x'.repeat(keptBodyBytes), keptBodyBytes), null],
  ['a longer body', log('x'.repeat(keptBodyBytes), 5_200_000), '256 KiB of 5.2 MB'],
  ['a longer body that is no UTF-8', log('\uFFFD'.repeat(keptBodyBytes), 600_000), '256 KiB of 600.0 KB'],
  ['a short body that is no UTF-8', log('\uFFFD\uFFFD', 2), null],
  ['one that was cut for lack of memory', log('x'.repeat(1_200), 40_000), '1.2 KB of 40.0 KB'],
  ['the sizes of several requests', log('{}', 200, 100), null],
  ['a body that was not kept', log(null, 5_200_000), null],
])('%s', (_what, given, expected) => {
  expect([cutText(given, 'request'), cutText(given, 'response')]).toEqual([expected, expected])
})

const request = (query: string | null, requestBody: string | null, requestBytes: number) =>
  ({ query, requestBody, requestBytes, requestCount: 1 }) as RequestLog

test.each<[string, RequestLog, string | null]>([
  ['a whole request', request('limit=3', '{}', 2), null],
  ['one without query and kept body', request(null, null, 2_000_000), null],
  ['a long whole query', request('a'.repeat(4_096), null, 0), null],
  ['a cut query', request(`${'a'.repeat(4_095)}…`, '{}', 2), 'query was cut at 4,096 characters'],
  ['a cut body', request('limit=3', '{', 5_200_000), 'body was cut at 256 KiB of 5.2 MB'],
])('%s', (_what, given, expected) => expect(cutRequestText(given)).toBe(expected))
