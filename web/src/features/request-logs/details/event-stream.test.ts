import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleSse, isSse } from './event-stream.ts'

const stream = (...chunks: unknown[]) =>
  `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
const delta = (content: string, index = 0) => ({ choices: [{ index, delta: { content } }] })
const call = (part: object) => ({ choices: [{ delta: { tool_calls: [{ index: 0, function: part }] } }] })

describe('assembleSse', () => {
  it('puts the deltas of a chat together', () => {
    expect(assembleSse(stream(delta('Hel'), delta('lo'), { choices: [], usage: {} }))).toEqual({
      events: 4,
      text: 'Hello',
    })
  })

  it('tells choices apart', () => {
    expect(assembleSse(stream(delta('a'), delta('b', 1), delta('c'))).text).toBe('Choice 1:\nac\n\nChoice 2:\nb')
  })

  it('puts tool calls together', () => {
    expect(
      assembleSse(stream(call({ name: 'find' }), call({ arguments: '{"q":' }), call({ arguments: '1}' }))).text,
    ).toBe('find({"q":1})')
  })

  it('knows completions and the Responses API', () => {
    expect(assembleSse(stream({ choices: [{ text: 'one ' }] }, { choices: [{ text: 'two' }] })).text).toBe('one two')
    expect(assembleSse(stream({ type: 'response.output_text.delta', delta: 'hi' })).text).toBe('hi')
  })

  it('reads what came before a stream was cut off', () => {
    expect(assembleSse('data: {"choices":[{"delta":{"content":"par"}}]}\n\ndata: {"choi').text).toBe('par')
  })

  it('survives any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void assembleSse(`data: ${text}\n\n`)))
  })
})

it('tells streams from other bodies', () => {
  expect(isSse('data: {}\n\n')).toBe(true)
  expect(isSse('event: x\ndata: {}\n\n')).toBe(true)
  expect(isSse('{"data": 1}')).toBe(false)
})
