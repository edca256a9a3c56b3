import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visibleLine, visibleText } from './visible-text.ts'

it('shows what would disguise a line', () => {
  expect(visibleLine('gpt\u202etxt.exe')).toBe('gpt<U+202E>txt.exe')
  expect(visibleLine('\u001b[31mred')).toBe('<U+001B>[31mred')
  expect(visibleLine('a\nb')).toBe('a<U+000A>b')
})

it('keeps lines and tabs of a longer text', () => {
  expect(visibleText('a\r\n\tb\u0007')).toBe('a\n\tb<U+0007>')
})

it('leaves other writing alone', () => {
  expect(visibleLine('日本語 العربية 👩‍🚀 é')).toContain('日本語 العربية')
})

it('never lets a control or direction character through', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visibleLine(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})
