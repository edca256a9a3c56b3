import { expect, test } from 'vitest'
import { providerMessage } from './provider-message.ts'

const messageOf = (body: unknown) => providerMessage(Buffer.from(JSON.stringify(body)), 'secret-of-mine')

test.each([
  ['Incorrect API key provided: sk-proj-abcdef123456. Find yours', 'Incorrect API key provided: *** Find yours'],
  ['Incorrect API key provided: sk-12***********3456.', 'Incorrect API key provided: ***'],
  ['The key secret-of-mine is revoked', 'The key *** is revoked'],
  ['Rate limit reached for gpt-4o', 'Rate limit reached for gpt-4o'],
])('%s', (message, shown) => {
  expect(messageOf({ error: { message } })).toBe(shown)
  expect(messageOf({ message })).toBe(shown)
})

test.each([[null], [{ error: 'text' }], [[]]])('%j has no message', (body) => expect(messageOf(body)).toBeNull())
