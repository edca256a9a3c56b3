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
