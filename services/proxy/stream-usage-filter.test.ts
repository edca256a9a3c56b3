import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StreamUsageFilter } from './stream-usage-filter.ts'
import { findTokenUsage } from './token-usage.ts'

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
      expect(findTokenUsage(filter.usageFrame ?? '')).toEqual({ promptTokens: 7, completionTokens: 9, cachedTokens: 0 })
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
