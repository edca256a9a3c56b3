import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kib } from '#core/units.ts'
import { splitAt } from '../test/split-at.fixture.ts'
import { MessageReader } from './message-reader.ts'

const unlimited = { takeBytes: () => undefined }
const readerOf = (isMasked: boolean, maxBytes = 64 * kib) => new MessageReader({ isMasked, maxBytes, share: unlimited })

/** A frame of at most 65,535 bytes. */
function frame(first: number, payload: Buffer, mask?: Buffer): Buffer {
  const length = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 0xff]
  length[0]! |= mask ? 0x80 : 0
  const bytes = mask ? payload.map((byte, at) => byte ^ mask[at % 4]!) : payload
  return Buffer.concat([Buffer.from([first, ...length]), mask ?? Buffer.alloc(0), bytes])
}

test('messages are read however frames and chunks are split, from clients and from servers', () => {
  const message = fc.record({
    text: fc.string({ maxLength: 400 }),
    cuts: fc.array(fc.nat(), { maxLength: 4 }),
    pings: fc.boolean(),
    mask: fc.uint8Array({ minLength: 4, maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.boolean(), fc.array(message), fc.array(fc.nat()), (isMasked, messages, cuts) => {
      const bytes = Buffer.concat(
        messages.flatMap(({ text, cuts: within, pings, mask: key }) => {
          const mask = isMasked ? Buffer.from(key) : undefined
          return splitAt(Buffer.from(text), within).flatMap((piece, index, all) => {
            const first = (index === 0 ? 0x1 : 0x0) | (index === all.length - 1 ? 0x80 : 0)
            return [frame(first, piece, mask), ...(pings ? [frame(0x89, Buffer.from('ping'), mask)] : [])]
          })
        }),
      )
      const reader = readerOf(isMasked)
      const read = splitAt(bytes, cuts).flatMap((chunk) => reader.push(chunk).map(String))
      expect(read).toEqual(messages.map(({ text }) => text))
      expect(reader.isBetweenMessages).toBe(true)
    }),
  )
})

test('only complete messages, and control frames between them, can be passed on', () => {
  const reader = readerOf(false)
  const ping = frame(0x89, Buffer.from('ping'))
  const whole = frame(0x81, Buffer.from('whole'))
  reader.push(Buffer.concat([ping, whole, frame(0x01, Buffer.from('part')), ping]))
  expect(reader.wholeUntil).toBe(ping.length + whole.length)
  expect(reader.isBetweenMessages).toBe(false)
})

test('of a message that is too long, or more than its account may hold, only what its price depends on is kept', () => {
  for (const isMasked of [false, true]) {
    const full = { takeBytes: () => 'account' as const }
    const excerpt = '{"usage":1,"type":"a"}'
    const readers = [
      [readerOf(isMasked, 100), excerpt],
      [new MessageReader({ isMasked, maxBytes: 1_024 * kib, share: full }), excerpt],
      [new MessageReader({ isMasked, maxBytes: 100, skipsLonger: true, share: full }), undefined],
    ] as const
    const mask = isMasked ? Buffer.from('mask') : undefined
    const parts = ['{"usage":1,"output":"', 'x'.repeat(60_000), 'x'.repeat(60_000), '","type":"a"}']
    const long = parts.map((part, at) => frame(at === 0 ? 0x01 : at === 3 ? 0x80 : 0x00, Buffer.from(part), mask))
    const chunk = Buffer.concat([...long, frame(0x81, Buffer.from('next'), mask)])
    for (const [reader, kept] of readers) {
      expect(reader.push(chunk).map((message) => message?.toString())).toEqual([kept, 'next'])
    }
  }
})

test.each<[string, boolean, Buffer]>([
  ['of a client is not masked', true, frame(0x81, Buffer.from('x'))],
  ['of a server is masked', false, frame(0x81, Buffer.from('x'), Buffer.alloc(4))],
  [
    'begins a message within another one',
    false,
    Buffer.concat([frame(0x01, Buffer.from('x')), frame(0x81, Buffer.from('y'))]),
  ],
  ['goes on with a message that did not begin', false, frame(0x80, Buffer.from('x'))],
])('a frame that %s is an error', (_what, isMasked, bytes) => {
  expect(() => readerOf(isMasked).push(bytes)).toThrow()
})
