import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitAt } from '../test/split-at.fixture.ts'
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

type Framing = 'events' | 'lines'

function pass(text: string, cuts: readonly number[], framing: Framing = 'events') {
  const filter = new StreamUsageFilter(framing)
  const parts = splitAt(Buffer.from(text), cuts).map((chunk) => filter.push(chunk))
  return { out: Buffer.concat([...parts, filter.flush() ?? Buffer.alloc(0)]).toString(), filter }
}

/** Every way to cut the bytes in two, and single bytes. */
const everyCut = (text: string): number[][] => {
  const places = [...Buffer.from(text).keys()]
  return [...places.map((place) => [place]), places]
}

test.each(['\r', '\r\n', '\n'])('the usage of lines that end with %j is read, and removed', (end) => {
  const [sent, visible] = [requested, expected].map((text) => text.replaceAll('\n', end))
  for (const cuts of everyCut(sent!)) {
    const { out, filter } = pass(sent!, cuts)
    expect(out).toBe(visible)
    expect(filter.usage).toEqual({ promptTokens: 7, completionTokens: 9, cachedTokens: 0 })
  }
})

const usageOnly = '{"choices":[],"usage":{"prompt_tokens":7}}'
const hiding: [string, Framing, string, string][] = [
  ['an event of several fields', 'events', `id: 1\nevent: chunk\ndata:${usageOnly}\nretry: 1\n\n`, ''],
  ['data of several lines', 'events', `data: {"choices":[],\r\ndata: "usage":{"prompt_tokens":7}}\r\n\r\n`, ''],
  ['a member on its own line', 'events', 'data: {"a":1,\ndata: "usage":null}\n\n', 'data: {"a":1}\n\n'],
  ['the first member', 'events', 'data: {"usage" : null , "a":1}\n\n', 'data: { "a":1}\n\n'],
  ['the last event, cut off', 'events', `: hi\n\ndata: ${usageOnly}`, ': hi\n\n'],
  ['JSON lines', 'lines', `{"a":1,"usage":null}\n\n${usageOnly}\r\n{"b":"\\n"}`, '{"a":1}\n\n{"b":"\\n"}'],
  ['the last line', 'lines', ` {"a":1}\n${usageOnly}`, ' {"a":1}\n'],
  ['a JSON sequence', 'lines', `\x1e{"a":1,"usage":null}\n\x1e${usageOnly}\n`, '\x1e{"a":1}\n'],
]
test.each(hiding)('usage is hidden in %s', (_what, framing, text, visible) => {
  for (const cuts of everyCut(text)) expect(pass(text, cuts, framing).out).toBe(visible)
})

test.each([
  '{"choices":[{"usage":null,"delta":{}}]}',
  '{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{\\"usage\\":null,"}}]}}]}',
  '{"choices":[{"delta":{"content":"\\"choices\\":[],\\"usage\\":{}"}}],"x":{"usage":null}}',
  '{"choices":[{"delta":{}}],"usage":{"prompt_tokens":1}}',
  '["usage",{"usage":null}]',
])('%s is passed on as it is', (json) => {
  for (const cuts of everyCut(json)) {
    expect(pass(`data: ${json}\n\n`, cuts).out).toBe(`data: ${json}\n\n`)
    expect(pass(`${json}\n`, cuts, 'lines').out).toBe(`${json}\n`)
  }
})

test('comments, blank lines and blanks do not wait for what follows', () => {
  const events = new StreamUsageFilter('events')
  for (const beat of [': ping\n', '\n', ':\r', '\n', '\r\n'])
    expect(events.push(Buffer.from(beat)).toString()).toBe(beat)
  const lines = new StreamUsageFilter('lines')
  for (const beat of ['\n', ' ', ' \n', '\r\n']) expect(lines.push(Buffer.from(beat)).toString()).toBe(beat)
})

test('an incomplete frame at the end is passed on', () => {
  const torn = 'data: {"choices":[{"delta":{"content":"half'
  expect(pass(torn, [5]).out).toBe(torn)
})

test('a frame is passed on as soon as it is complete', () => {
  const filter = new StreamUsageFilter('events')
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
    fc.constantFrom('\n\n', '\r\n\r\n', '\n\r\n', '\r\r', '\r\r\n'),
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
  const filter = new StreamUsageFilter('events')
  const piece = Buffer.alloc(100, 'x')
  let passed = 0
  for (let count = 0; count < 100_000; count += 1) passed += filter.push(piece).length
  expect(passed + (filter.flush()?.length ?? 0)).toBe(10_000_000)
  expect(passed).toBeGreaterThan(9_000_000)
})
