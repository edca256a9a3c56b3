import { expect, test } from 'vitest'
import { isScopeError } from './scope-error.ts'

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
