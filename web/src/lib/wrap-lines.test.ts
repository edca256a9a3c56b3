import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wrapLines } from './wrap-lines.ts'

it('cuts long lines and keeps short and empty ones', () => {
  expect(wrapLines('abcdef\n\nxy', 4)).toEqual(['abcd', 'ef', '', 'xy'])
})

it('never cuts a character in half and loses nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 9 }), (text, columns) => {
      const rows = wrapLines(text, columns)
      expect(rows.join('')).toBe(text.replaceAll('\n', ''))
      for (const row of rows) expect(row.isWellFormed()).toBe(text.isWellFormed())
    }),
  )
})
