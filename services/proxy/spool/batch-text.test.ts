import { expect, test } from 'vitest'
import { kib } from '#core/units.ts'
import { BatchText } from './batch-text.ts'

const line = (letter: string, bytes: number) => Buffer.from(`${letter.repeat(bytes - 1)}\n`)

test('returns lines of any length in their order, in few pieces', () => {
  const lines = [line('a', 10), line('b', 300 * kib), line('c', 200 * kib), line('d', 200 * kib), line('e', 1 * kib)]
  const text = new BatchText()
  for (const each of lines) text.append(each)
  expect(Buffer.concat(text.pieces()).equals(Buffer.concat(lines))).toBe(true)
  expect(text.pieces()).toHaveLength(4)
})

test('reuses memory only after its release', () => {
  const [first, second, third] = [new BatchText(), new BatchText(), new BatchText()]
  first.append(line('a', 100))
  const [memory] = first.pieces()
  second.append(line('b', 100))
  expect(second.pieces()[0]!.buffer).not.toBe(memory!.buffer)
  expect(memory!.toString()).toBe(line('a', 100).toString())
  first.release()
  third.append(line('c', 100))
  expect(third.pieces()[0]!.buffer).toBe(memory!.buffer)
  expect(first.pieces()).toEqual([])
})
