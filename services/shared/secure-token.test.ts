import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashToken, isWellFormedToken, mintToken } from './secure-token.ts'

test('a new token has the prefix, the length and a valid checksum', () => {
  const token = mintToken()
  expect(token).toMatch(/^st_[0-9A-Za-z]{38}$/)
  expect(isWellFormedToken(token)).toBe(true)
  expect(hashToken(token)).toHaveLength(32)
})

test('one changed character is rejected', () => {
  const token = mintToken()
  fc.assert(
    fc.property(fc.integer({ min: 3, max: token.length - 1 }), fc.constantFrom(...'0aZ9'), (at, character) => {
      fc.pre(token[at] !== character)
      expect(isWellFormedToken(token.slice(0, at) + character + token.slice(at + 1))).toBe(false)
    }),
  )
})

test('any other text is rejected', () => {
  fc.assert(fc.property(fc.string(), (text) => !isWellFormedToken(text) && !isWellFormedToken(`st_${text}`)))
})
