import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingBuffer } from './growing-buffer.ts'

test('it holds the bytes of all chunks, and changes no chunk', () => {
  const chunk = fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(fc.array(chunk), fc.nat(2_000), (chunks, kept) => {
      const copies = chunks.map((each) => Buffer.from(each))
      const buffer = new GrowingBuffer()
      for (const each of chunks) buffer.append(each)
      const all = Buffer.concat(copies)
      expect(buffer.bytes().equals(all)).toBe(true)
      expect(buffer.length).toBe(all.length)
      const count = Math.min(kept, all.length)
      buffer.keepLast(count)
      expect(buffer.bytes().equals(all.subarray(all.length - count))).toBe(true)
      buffer.append(Buffer.from('more'))
      expect(buffer.bytes().subarray(count).toString()).toBe('more')
      expect(chunks.every((each, at) => each.equals(copies[at]!))).toBe(true)
    }),
  )
})

test('a first chunk is not copied', () => {
  const chunk = Buffer.from('whole')
  const buffer = new GrowingBuffer()
  buffer.append(chunk)
  expect(buffer.bytes().buffer).toBe(chunk.buffer)
})
