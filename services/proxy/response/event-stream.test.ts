import { expect, test } from 'vitest'
import type { ErrorFormat } from './error-responses.ts'
import { EventStreamResponse } from './event-stream.ts'

const sink = { reserve: () => true, writeHead: () => undefined, write: () => true, end: () => undefined }

function errorOf(packets: readonly string[], framing: 'events' | 'lines' = 'events') {
  const response = new EventStreamResponse(sink, { status: 200, headers: [] }, { framing, hidesUsage: false })
  for (const packet of packets) response.push(Buffer.from(packet))
  response.end()
  return response.errorEvent()?.toString()
}

const [delta, done] = ['data: {"choices":[{"delta":{"content":"a"}}]}\n\n', 'data: [DONE]\n\n']
const error = '{"error":{"message":"a"}}'

test.each([
  ['in a packet of its own', [delta, `data: ${error}\n\n`, done], error],
  ['after others in the last packet', [delta + `data: ${error}\r\n\r\n`], error],
  ['of that name', [`${delta}event: error\ndata: {"code":1}\n\n`], '{"code":1}'],
  ['after a CR', [`event: error\rdata: {"code":1}\r\r`], '{"code":1}'],
  ['without blanks', [`${delta}data:${error}`], error],
  ['within a chunk', ['data: {"id":1,"error": {"message":"a"}}\n\n'], '{"id":1,"error": {"message":"a"}}'],
  ['of a type', ['data: {"type":"error","message":"a"}\n\n'], '{"type":"error","message":"a"}'],
])('finds an error %s', (_where, packets, json) => expect(errorOf(packets)).toBe(json))

test('finds an error among lines', () =>
  expect(errorOf(['{"a":1}\n', '{"error":"a"}\n'], 'lines')).toBe('{"error":"a"}'))

test.each([
  ['text', [delta.replace('"a"', String.raw`"{\"error\":{}}"`)]],
  ['a member without a value', ['data: {"type":"response.created","response":{"error":null}}\n\n']],
])('%s is no error', (_what, packets) => expect(errorOf(packets)).toBeUndefined())

test.each(['\n', '\r\n', '\r'])(
  'reads the usage of the Responses API in a stream with lines that end with %j',
  (end) => {
    const response = new EventStreamResponse(
      sink,
      { status: 200, headers: [] },
      { framing: 'events', hidesUsage: false },
    )
    const completed = { type: 'response.completed', response: { usage: { input_tokens: 7, output_tokens: 9 } } }
    for (const event of [{ type: 'response.created', response: {} }, completed]) {
      response.push(Buffer.from(`event: ${event.type}${end}data: ${JSON.stringify(event)}${end}${end}`))
    }
    expect(response.usage()).toMatchObject({ promptTokens: 7, completionTokens: 9 })
  },
)

/** What a stream sends after this text, when a budget ends it. */
function ending(text: string, format: ErrorFormat) {
  let last = ''
  const ended = { ...sink, end: (bytes?: Buffer) => void (last = String(bytes)) }
  const head = { status: 200, headers: [] }
  const response = new EventStreamResponse(ended, head, { framing: 'events', hidesUsage: false })
  response.push(Buffer.from(text))
  response.endWithError('budget_exceeded', format)
  return last
}

test('an event that has begun does not swallow the error', () =>
  expect(ending(`${delta}data: {"cho`, 'openai')).toMatch(/^\n\nevent: error\n/))

test.each<[ErrorFormat, string, RegExp]>([
  ['openai', 'named', /^event: error\ndata: \{"type":"error","error":\{"message":.*"code":"budget_exceeded"\}\}\n\n$/],
  [
    'google',
    'not named',
    /^data: \{"event_type":"error","error":\{"code":429,.*"status":"RESOURCE_EXHAUSTED",.*\}\}\n\n$/,
  ],
])('the error that ends a stream in the format of %s is %s', (format, _named, event) =>
  expect(ending(delta, format)).toMatch(event),
)
