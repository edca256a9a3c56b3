import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamUsageFilter } from './stream-usage-filter.ts'

const content = '{"id":"c1","choices":[{"index":0,"delta":{"content":"\\"usage\\": null 🚪"}}]'
const asked = [
  `data: ${content},"usage":null}\n\n`,
  'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}\n\n',
  'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9,"total_tokens":16}}\n\n',
  'data: [DONE]\n\n',
].join('')
const seen = [
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

test('the client sees what it would have seen without the wish, wherever the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
      const { out, filter } = pass(asked, cuts)
      expect(out).toBe(seen)
      expect(filter.usage).toEqual({ promptTokens: 7, completionTokens: 9, cachedTokens: 0 })
    }),
  )
})

test('line breaks of the other kind end frames too', () => {
  expect(pass(asked.replaceAll('\n', '\r\n'), [10]).out).toBe(seen.replaceAll('\n', '\r\n'))
})

test('a stream that breaks off in a frame loses nothing', () => {
  const torn = 'data: {"choices":[{"delta":{"content":"half'
  expect(pass(torn, [5]).out).toBe(torn)
})

test('a frame is passed on as soon as it is complete', () => {
  const filter = new StreamUsageFilter()
  expect(filter.push(Buffer.from('data: 1\n\nda')).toString()).toBe('data: 1\n\n')
  expect(filter.push(Buffer.from('ta: 2\n\n')).toString()).toBe('data: 2\n\n')
})

test('where the stream is cut makes no difference, down to single bytes', () => {
  const written = fc.oneof(fc.string(), fc.constantFrom('"usage":{', '\n\n', 'ü🌍', '\\'))
  const frame = fc.oneof(
    written.map((text) => ({
      text: `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}`,
      shown: true,
    })),
    fc.constant({ text: ': comment', shown: true }),
    fc.constant({ text: 'data: {"choices":[],"usage":{"prompt_tokens":1}}', shown: false }),
  )
  const ending = fc.constantFrom('\n\n', '\r\n\r\n', '\n\r\n')
  fc.assert(
    fc.property(fc.array(fc.tuple(frame, ending)), fc.array(fc.integer({ min: 1, max: 9 })), (frames, sizes) => {
      const whole = Buffer.from(frames.map(([{ text }, end]) => text + end).join(''))
      const expected = frames.map(([{ text, shown }, end]) => (shown ? text + end : '')).join('')
      const filter = new StreamUsageFilter()
      const out: Buffer[] = []
      for (let at = 0, turn = 0; at < whole.length; turn += 1) {
        const size = sizes.length === 0 ? 1 : sizes[turn % sizes.length]!
        out.push(filter.push(whole.subarray(at, at + size)))
        at += size
      }
      expect(Buffer.concat(out).toString()).toBe(expected)
      expect(filter.flush()).toBeUndefined()
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
