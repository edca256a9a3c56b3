import { expect, test } from 'vitest'
import type { RequestLog } from '#schemas/request-logs.ts'
import { cutRequestText } from './cut-request.ts'

const log = (query: string | null, requestBody: string | null, requestBytes: number) =>
  ({ query, requestBody, requestBytes, requestCount: 1 }) as RequestLog

test.each<[string, RequestLog, string | null]>([
  ['a whole request', log('limit=3', '{}', 2), null],
  ['one without query and kept body', log(null, null, 2_000_000), null],
  ['a long whole query', log('a'.repeat(4_096), null, 0), null],
  ['a cut query', log(`${'a'.repeat(4_095)}…`, '{}', 2), 'query was cut at 4,096 characters'],
  ['a cut body', log('limit=3', '{', 5_200_000), 'body was cut at 256 KiB of 5.2 MB'],
])('%s', (_what, given, expected) => expect(cutRequestText(given)).toBe(expected))
