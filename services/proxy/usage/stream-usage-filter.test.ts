import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamUsageFilter } from './stream-usage-filter.ts'

const content = '{"id":"c1","choices":[{"index":0,"delta":{"content":"\\"usage\\": null 🚪"}}]'
const requested = [
  `data: ${content},"usage":null}\n\n`,
  'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}\n\n',
  'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9,"total_tokens":16}}\n\n',
  'data: [DONE]\n\n',
].join('')
const expected = [
  `data: ${content}}\n\n`,
  'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
  'data: [DONE]\n\n',
].join('')

function pass(text: string, cuts: readonly number[]): { out: string; filter: StreamUsageFilter } {
  const bytes = Buffer.from(text)
  const filter = new StreamUsageFilter()
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const parts = edges.slice(1).map((end, at) => filter.push(bytes.subarray(edges[at], end)))
  return { out: Buffer.concat([...parts, filter.flush() ?? Buffer.alloc(0)]).toString(), filter }
}

test('only the usage that the client did not request is removed, wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
      const { out, filter } = pass(requested, cuts)
      expect(out).toBe(expected)
      expect(filter.usage).toEqual({ promptTokens: 7, completionTokens: 9, cachedTokens: 0 })
    }),
  )
})

test('frames may end with CRLF', () => {
  expect(pass(requested.replaceAll('\n', '\r\n'), [10]).out).toBe(expected.replaceAll('\n', '\r\n'))
})

test('an incomplete frame at the end is passed on', () => {
  const torn = 'data: {"choices":[{"delta":{"content":"half'
  expect(pass(torn, [5]).out).toBe(torn)
})

test('a frame is passed on as soon as it is complete', () => {
  const filter = new StreamUsageFilter()
  expect(filter.push(Buffer.from('data: 1\n\nda')).toString()).toBe('data: 1\n\n')
  expect(filter.push(Buffer.from('ta: 2\n\n')).toString()).toBe('data: 2\n\n')
})

test('any frames are filtered in the same way, however the stream is cut, down to single bytes', () => {
  const written = fc.oneof(fc.string(), fc.constantFrom('"usage":{', '\n\n', 'ü🌍', '\\'))
  const shown = fc.oneof(
    written.map((text) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}`),
    fc.constant(': comment'),
  )
  const hidden = fc.constant('data: {"choices":[],"usage":{"prompt_tokens":1}}')
  const frame = fc.tuple(
    fc.oneof(fc.tuple(shown, fc.constant(true)), fc.tuple(hidden, fc.constant(false))),
    fc.constantFrom('\n\n', '\r\n\r\n', '\n\r\n'),
  )
  fc.assert(
    fc.property(fc.array(frame), fc.array(fc.nat()), (frames, cuts) => {
      const whole = frames.map(([[text], end]) => text + end).join('')
      const visible = frames.map(([[text, isShown], end]) => (isShown ? text + end : '')).join('')
      for (const places of [cuts, [...Buffer.from(whole).keys()]]) {
        const { out, filter } = pass(whole, places)
        expect(out).toBe(visible)
        expect(filter.flush()).toBeUndefined()
      }
    }),
  )
})

test('a frame that never ends costs no more than its bytes, and is passed on in pieces', () => {
  const filter = new StreamUsageFilter()
  const piece = Buffer.alloc(100, 'x')
  let passed = 0
  for (let count = 0; count < 100_000; count += 1) passed += filter.push(piece).length
  expect(passed + (filter.flush()?.length ?? 0)).toBe(10_000_000)
  expect(passed).toBeGreaterThan(9_000_000)
})
