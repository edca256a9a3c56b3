import { expect, test } from 'vitest'
import { keptBodyBytes, type RequestLog } from '#schemas/request-logs.ts'
import { cutText } from './cut-body.ts'

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
