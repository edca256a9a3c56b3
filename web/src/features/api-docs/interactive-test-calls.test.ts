import { expect, it } from 'vitest'
import { proxyErrorMessage } from './interactive-test-calls.ts'

it('reads the message of the provider’s error shape', () =>
  expect(proxyErrorMessage('{"error":{"message":"no active API key found","type":"invalid_request_error"}}')).toBe(
    'no active API key found',
  ))
it.each(['', '<html>', '{"error":"x"}', '{"error":{"message":""}}'])('falls back for %j', (body) =>
  expect(proxyErrorMessage(body)).toBe('Unknown error occurred'),
)
