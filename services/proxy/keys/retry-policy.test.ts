import { expect, test } from 'vitest'
import { backoffMs, isScopeError, classifyStatus, keyCooldownMs, retryAfterMs } from './retry-policy.ts'

test.each([
  ['final', [200, 400, 404, 508]],
  ['next-key', [401, 403, 429, 500, 503]],
  ['retry', [408, 409]],
])('%s: %j', (action, statuses) => {
  for (const status of statuses) expect(classifyStatus(status)).toBe(action)
})

test.each([
  [{ 'retry-after-ms': '150' }, 150],
  [{ 'retry-after': '20.5' }, 20_500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:10:05 GMT', date: 'Thu, 01 Jan 2026 00:10:00 GMT' }, 5_000],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('%j is a wait of %s ms', (headers, ms) => {
  expect(retryAfterMs(headers, Date.UTC(2026, 0, 1))).toBe(ms)
})

test('the backoff doubles up to a maximum, with jitter', () => {
  expect([0, 1, 2].map((retry) => backoffMs(retry, () => 1))).toEqual([200, 400, 800])
  expect(backoffMs(0, () => 0)).toBe(100)
  expect(backoffMs(30, () => 1)).toBe(5_000)
})

test('a rejected key has the longest cooldown, unless the provider says how long', () => {
  expect([403, 429, 503].map((status) => keyCooldownMs(status, undefined))).toEqual([60_000, 10_000, 5_000])
  expect(keyCooldownMs(429, 3_000)).toBe(3_000)
})

const said = (error: { message: string; code?: string | null; type?: string }) => ({ code: null, type: null, ...error })

test.each([
  {
    message:
      "You have insufficient permissions for this operation. Missing scopes: api.model.read. Check that you have the correct role in your organization, and if you're using a restricted API key, that it has the necessary scopes.",
    type: 'invalid_request_error',
    code: null,
  },
  { message: 'Missing scopes: model.request', type: 'invalid_request_error', code: 'missing_scope' },
  { message: 'Project `proj_1` does not have access to model `gpt-5`', code: 'model_not_found' },
  { message: 'You are not allowed to sample from this model', code: 'insufficient_permissions' },
])('$message is about the scope', (error) => {
  expect(isScopeError({}, said(error))).toBe(true)
})

test.each([
  { message: 'Incorrect API key provided: sk-abc.', type: 'invalid_request_error', code: 'invalid_api_key' },
  { message: 'The OpenAI account associated with this API key has been deactivated.', code: 'account_deactivated' },
  { message: 'Country, region, or territory not supported', code: 'unsupported_country_region_territory' },
])('$message is about the key', (error) => {
  expect(isScopeError({}, said(error))).toBe(false)
})

test('an unreadable body is about the key, unless the headers say otherwise', () => {
  expect(isScopeError({}, null)).toBe(false)
  expect(isScopeError({ 'www-authenticate': 'Bearer error="insufficient_scope"' }, null)).toBe(true)
})
