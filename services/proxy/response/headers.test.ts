import { expect, test } from 'vitest'
import { redacted } from '#schemas/secrets.ts'
import { hideSecret, toClientHeaders } from './headers.ts'

const headers = { 'content-type': 'text/plain', 'content-length': '17', 'x-sent': 'Bearer sk-of-a-provider-account' }

test('a header that echoes the key is redacted', () => {
  expect(hideSecret(headers, 'sk-of-a-provider-account')).toEqual({ ...headers, 'x-sent': redacted })
})

test.each(['1', 'x', 'plain', 'Bearer'])('"%s" is a placeholder, and no header changes', (secret) => {
  expect(hideSecret(headers, secret)).toEqual(headers)
})

test('headers that the connection names are not relayed', () => {
  const upstream = { connection: 'close, X-Own', 'x-own': '1', 'x-other': '2' }
  expect(toClientHeaders(upstream)).toEqual(['x-other', '2'])
})
