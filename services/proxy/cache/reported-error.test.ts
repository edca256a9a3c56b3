import { expect, test } from 'vitest'
import { reportsError } from './reported-error.ts'

const error = { message: 'The server had an error', type: 'server_error' }
const delta = 'data: {"choices":[{"delta":{"content":"a \\"error\\":{"}}]}\n\n'
const done = 'data: [DONE]\n\n'
const events = (...data: object[]) => data.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')
const tools = [{ type: 'function', parameters: { properties: { error: { type: 'string' } } } }]

test.each([
  ['JSON', JSON.stringify({ error })],
  ['JSON with line breaks', JSON.stringify({ id: 'resp_1', status: 'failed', error }, null, 2)],
  ['JSON with a text', '\n{"error":"model is loading"}'],
  ['JSON of a type', JSON.stringify({ type: 'error', message: 'a' })],
  ['a stream', delta + events({ error })],
  ['a stream that goes on', delta + events({ error }) + done],
  ['a stream without a message', delta + events({ error: { code: 502 } }) + done],
  ['a stream with a named event', `${delta}event: error\r\ndata: {"code":1}\r\n\r\n`],
  ['a stream with a failed response', delta + events({ type: 'response.failed', response: { error } })],
  ['lines', `{"a":1}\n${JSON.stringify({ error })}\n`],
])('an error in %s is found', (_where, body) => expect(reportsError(Buffer.from(body))).toBe(true))

test.each([
  ['nothing', ''],
  ['a stream of text', delta + done],
  ['JSON without an error', JSON.stringify({ id: 'resp_1', error: null, tools })],
  ['text', 'an error'],
  ['a stream of a response', events({ response: { error: null, tools } }, { type: 'response.completed', error: null })],
])('%s is no error', (_what, body) => expect(reportsError(Buffer.from(body))).toBe(false))
