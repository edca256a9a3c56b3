import { expect, test } from 'vitest'
import { readProviderError } from './provider-error.ts'

const read = (body: unknown) => readProviderError(Buffer.from(JSON.stringify(body)), 'secret-of-mine')

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
  ['The key secret-of-mine is revoked', 'The key *** is revoked'],
  ['Rate limit reached for gpt-4o', 'Rate limit reached for gpt-4o'],
  ['x'.repeat(2_000), 'x'.repeat(1_000)],
])('%.60s', (message, shown) => expect(read({ error: { message } })?.message).toBe(shown))

test.each([[null], [{}], [[]], ['text'], [{ error: { code: 'a' } }], [{ message: 'x'.repeat(17_000) }]])(
  '%.40j says nothing that is understood',
  (body) => expect(read(body)).toBeNull(),
)

test('a page is no error', () => expect(readProviderError(Buffer.from('<html>'), 'secret')).toBeNull())
