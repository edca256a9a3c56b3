import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wrapLines } from './wrap-lines.ts'

function lines(text: string, columns: number) {
  const { count, line } = wrapLines(text, columns)
  return Array.from({ length: count }, (_, index) => line(index))
}

it('cuts long lines and keeps short and empty ones', () => {
  expect(lines('abcdef\n\nxy', 4)).toEqual(['abcd', 'ef', '', 'xy'])
  expect(lines('', 4)).toEqual([''])
  expect(lines('abcd\n', 4)).toEqual(['abcd', ''])
})

it('never cuts a character in half and loses nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 9 }), (text, columns) => {
      const cut = lines(text, columns)
      expect(cut.join('')).toBe(text.replaceAll('\n', ''))
      for (const line of cut) {
        expect(line.length).toBeLessThanOrEqual(columns)
        expect(line.isWellFormed()).toBe(true)
      }
    }),
  )
})
