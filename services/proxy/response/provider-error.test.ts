import { expect, test } from 'vitest'
import { readProviderError } from './provider-error.ts'

const read = (body: unknown) => readProviderError(Buffer.from(JSON.stringify(body)), 'secret-of-my-account')

test.each([
  [
    'OpenAI',
    { error: { message: 'a', type: 'invalid_request_error', param: null, code: 'b' } },
    'b',
    'invalid_request_error',
  ],
  ['OpenAI without a code', { error: { message: 'a', type: 'server_error', code: null } }, null, 'server_error'],
  ['an error event', { type: 'error', error: { message: 'a', type: 't', code: 'c' } }, 'c', 't'],
  ['Anthropic', { type: 'error', error: { type: 'overloaded_error', message: 'a' } }, null, 'overloaded_error'],
  ['Gemini', [{ error: { code: 429, message: 'a', status: 'RESOURCE_EXHAUSTED' } }], 'RESOURCE_EXHAUSTED', null],
  ['vLLM', { object: 'error', message: 'a', type: 'BadRequestError', code: 400 }, '400', 'BadRequestError'],
  ['a failed response', { type: 'response.failed', response: { error: { code: 'b', message: 'a' } } }, 'b', null],
  ['FastAPI', { detail: 'a' }, null, null],
  [
    'a validation of FastAPI',
    { detail: [{ loc: ['body'], msg: 'a', type: 'missing' }, { msg: 'b' }] },
    null,
    'missing',
  ],
  ['text', { error: 'a' }, null, null],
  ['odd codes', { error: { message: 'a', type: {}, code: [1] } }, null, null],
])('%s', (_provider, body, code, type) => expect(read(body)).toEqual({ message: 'a', code, type }))

test.each([
  ['Incorrect API key provided: sk-proj-abcdef123456. Find yours', 'Incorrect API key provided: *** Find yours'],
  ['Incorrect API key provided: sk-12***********3456.', 'Incorrect API key provided: ***'],
  ['The key secret-of-my-account is revoked', 'The key *** is revoked'],
  ['Bearer AbCdEf0123456789 is wrong, use Bearer auth', 'Bearer *** is wrong, use Bearer auth'],
  ['gsk_AbCdEf012345 or AIzaSyD012345 or eyJhbGciOi.eyJzdWI', '*** or *** or ***'],
  ['a risk-assessment of sess-ion and key_not_found', 'a risk-assessment of sess-ion and key_not_found'],
  ['Rate limit reached for gpt-4o', 'Rate limit reached for gpt-4o'],
  ['x'.repeat(2_000), 'x'.repeat(1_000)],
])('%.60s', (message, shown) => expect(read({ error: { message } })?.message).toBe(shown))

test.each([[null], [{}], [[]], ['text'], [{ error: { code: 'a' } }], [{ error: '' }]])(
  '%.40j says nothing that is understood',
  (body) => expect(read(body)).toBeNull(),
)

test('a code and a type have no secrets either', () =>
  expect(read({ error: { message: 'a', code: 'sk-abcdef123456', type: 'secret-of-my-account' } })).toEqual({
    message: 'a',
    code: '***',
    type: '***',
  }))

test.each([
  { detail: [{ msg: 'a "\u00fc"', input: 'x'.repeat(70_000) }] },
  { error: { message: `a "\u00fc"${'x'.repeat(70_000)}` } },
])('of a long body, the beginning is read: %.30j', (body) => expect(read(body)?.message).toMatch(/^a "ü"x{0,996}$/))

test('a short key is a placeholder, and stays', () =>
  expect(readProviderError(Buffer.from('{"error":"none of them"}'), 'none')?.message).toBe('none of them'))

test('a page is no error', () => expect(readProviderError(Buffer.from('<html>'), 'secret')).toBeNull())
