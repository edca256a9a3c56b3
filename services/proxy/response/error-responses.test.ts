import { expect, test } from 'vitest'
import { type ProxyErrorCode, proxyErrors } from '#schemas/proxy-errors.ts'
import { errorBody, errorResponse } from './error-responses.ts'
import { headerOf } from './headers.ts'

test.each(Object.keys(proxyErrors) as ProxyErrorCode[])(
  '%s has the shape of the provider, and says what is wrong',
  (code) => {
    const { error } = JSON.parse(errorBody(code))
    expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
    expect(error).toMatchObject({ type: proxyErrors[code].type, param: null, code })
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    // One sentence describes the problem, another one the remedy.
    expect(error.message).toMatch(/^[^\n]{10,}\.$/)
    expect(error.message.match(/\.(?: |$)/g).length).toBeGreaterThanOrEqual(2)
    expect(proxyErrors[code].status).toBeGreaterThanOrEqual(400)
  },
)

test.each<[ProxyErrorCode, number, string]>([
  ['invalid_token', 401, 'UNAUTHENTICATED'],
  ['model_not_allowed', 403, 'PERMISSION_DENIED'],
  ['ambiguous_model', 400, 'INVALID_ARGUMENT'],
  ['upstream_unreachable', 502, 'UNAVAILABLE'],
])("in Google's format, %s has the code %d and the status %s", (code, number, status) => {
  const { body } = errorResponse(code, 'an id', [], { format: 'google' })
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code.toUpperCase(), domain: 'sallyport' },
  ]
  expect(JSON.parse(body)).toEqual({ error: { code: number, message: proxyErrors[code].message, status, details } })
})

test("in Google's format, an error says when to try again", () => {
  const { body } = errorResponse('budget_exceeded', 'an id', ['retry-after', '30'], { format: 'google' })
  expect(JSON.parse(body).error).toMatchObject({ status: 'RESOURCE_EXHAUSTED', details: [{}, { retryDelay: '30s' }] })
})

test.each<[ProxyErrorCode, string | undefined]>([
  ['missing_token', 'false'],
  ['invalid_token', 'false'],
  ['loop_detected', 'false'],
  ['upstream_forbidden', 'false'],
  ['upstream_unreachable', undefined],
  ['overloaded', undefined],
])('whether clients should repeat a request after %s: %s', (code, mayRetry) =>
  expect(headerOf(errorResponse(code, 'an id', [], undefined).headers, 'x-should-retry')).toBe(mayRetry),
)
