import { expect, test } from 'vitest'
import { TextSample } from './text-sample.ts'

const chat = (delta: object) => ({
  id: 'chatcmpl-1',
  model: 'a-model-with-a-long-name',
  choices: [{ index: 0, delta }],
})
const text = 'forty letters are ten of such tokens, ok'

test.each([
  ['a chat', chat({ role: 'assistant', content: text })],
  ['a tool call', chat({ tool_calls: [{ id: 'call_1', function: { arguments: text } }] })],
  ['reasoning', chat({ reasoning_content: text })],
  ['a completion', { choices: [{ text }] }],
  ['a response', { type: 'response.output_text.delta', item_id: 'msg_1', delta: text }],
  ['a message of Anthropic', { type: 'content_block_delta', delta: { type: 'text_delta', text } }],
  ['a response of Google', { candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] }],
  [
    'a call by Google',
    { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: { a: text.slice(8) } } }] } }] },
  ],
])('the pieces of %s have a token per four bytes of text', (_of, event) => {
  const sample = new TextSample('events')
  sample.push(Buffer.from(`: a comment\ndata: ${JSON.stringify(event)}\n\n`), 1)
  expect(sample.tokensPerPiece).toBe(10)
})

test('speech has tokens of audio by its transcript', () => {
  const sample = new TextSample('events')
  sample.push(
    Buffer.from(
      `data: ${JSON.stringify(chat({ audio: { data: 'a'.repeat(3_000), transcript: 'x'.repeat(15) } }))}\n\n`,
    ),
    1,
  )
  expect([sample.tokensPerPiece, sample.audioTokensPerPiece]).toEqual([1, 20])
})

test('lines have text too', () => {
  const sample = new TextSample('lines')
  sample.push(Buffer.from(`${JSON.stringify({ message: { content: text } })}\n`), 1)
  expect(sample.tokensPerPiece).toBe(10)
})

test.each([
  ['a short text', JSON.stringify(chat({ content: 'a' }))],
  ['a text repeated at its end', JSON.stringify({ type: 'response.output_text.done', text })],
  ['a request repeated', JSON.stringify({ response: { instructions: text, output: [{ text }] } })],
  ['no JSON', '[DONE]'],
  ['no object', 'null'],
])('%s counts as one token a piece', (_what, json) => {
  const sample = new TextSample('events')
  sample.push(Buffer.from(`data: ${json}\n\n`), 1)
  expect(sample.tokensPerPiece).toBe(1)
})

test('an event in two packets is not read, the next one is', () => {
  const sample = new TextSample('events')
  const event = `data: ${JSON.stringify(chat({ content: text }))}\n\n`
  sample.push(Buffer.from(event.slice(0, 20)), 0)
  sample.push(Buffer.from(event.slice(20)), 1)
  expect(sample.tokensPerPiece).toBe(1)
  sample.push(Buffer.from(event), 2)
  expect(sample.tokensPerPiece).toBe(10)
})

test('a long stream is sampled ever less often', () => {
  const sample = new TextSample('events')
  let read = 0
  for (let piece = 1; piece <= 1_000; piece += 1) {
    const before = sample.tokensPerPiece
    sample.push(Buffer.from(`data: ${JSON.stringify(chat({ content: 'x'.repeat(8 * piece) }))}\n\n`), piece)
    if (sample.tokensPerPiece !== before) read += 1
  }
  expect(read).toBeGreaterThan(30)
  expect(read).toBeLessThan(60)
})
