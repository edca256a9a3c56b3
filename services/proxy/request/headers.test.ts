import { expect, test } from 'vitest'
import { toClientHeaders } from '../response/headers.ts'
import { isForProvider } from './headers.ts'

test.each([
  'cf-access-jwt-assertion',
  'x-amzn-oidc-accesstoken',
  'x-auth-request-email',
  'x-ms-client-principal-name',
  'x-goog-api-key',
  'x-csrf-token',
  'cdn-loop',
  'cf-ipcity',
  'cloudfront-viewer-address',
  'x-forwarded-client-cert',
  'sec-ch-ua',
  'x-http-method-override',
  'x-original-url',
])('a provider does not get %s', (name) => {
  expect(isForProvider(name)).toBe(false)
})

test.each(['anthropic-beta', 'http-referer', 'x-title', 'helicone-auth', 'cf-aig-metadata', 'x-security', 'my-origin'])(
  'a provider gets %s',
  (name) => {
    expect(isForProvider(name)).toBe(true)
  },
)

test('a provider that is a gateway too has one request id', () => {
  const headers = { 'x-request-id': 'req_1', 'x-provider-request-id': 'req_2' }
  expect(toClientHeaders(headers)).toEqual(['x-provider-request-id', 'req_1'])
})
