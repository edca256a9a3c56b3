import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleSse, isSse } from './event-stream.ts'

const stream = (...chunks: unknown[]) =>
  `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
const delta = (content: string, index = 0) => ({ choices: [{ index, delta: { content } }] })
const call = (part: object) => ({ choices: [{ delta: { tool_calls: [{ index: 0, function: part }] } }] })

describe('assembleSse', () => {
  it('assembles the deltas of a chat', () => {
    expect(assembleSse(stream(delta('Hel'), delta('lo'), { choices: [], usage: {} }))).toEqual({
      events: 4,
      text: 'Hello',
    })
  })

  it('separates choices', () => {
    expect(assembleSse(stream(delta('a'), delta('b', 1), delta('c'))).text).toBe('Choice 1:\nac\n\nChoice 2:\nb')
  })

  it('assembles tool calls', () => {
    expect(
      assembleSse(stream(call({ name: 'find' }), call({ arguments: '{"q":' }), call({ arguments: '1}' }))).text,
    ).toBe('find({"q":1})')
  })

  it('supports completions and the Responses API', () => {
    expect(assembleSse(stream({ choices: [{ text: 'one ' }] }, { choices: [{ text: 'two' }] })).text).toBe('one two')
    expect(assembleSse(stream({ type: 'response.output_text.delta', delta: 'hi' })).text).toBe('hi')
  })

  it('reads a truncated stream', () => {
    expect(assembleSse('data: {"choices":[{"delta":{"content":"par"}}]}\n\ndata: {"choi').text).toBe('par')
  })

  it('accepts any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void assembleSse(`data: ${text}\n\n`)))
  })
})

it.each([
  ['data: {}\n\n', true],
  ['event: x\ndata: {}\n\n', true],
  ['{"data": 1}', false],
])('isSse(%j) is %s', (body, expected) => expect(isSse(body)).toBe(expected))
