import { expect, it } from 'vitest'
import { asUtf8, fromUtf8 } from './utf8-headers.ts'

it('sends any characters in a header, as UTF-8', () => {
  const sent = new Headers(asUtf8({ 'x-note': 'grün 日本 😀', 'x-plain': 'a' }))
  expect(Buffer.from(sent.get('x-note') ?? '', 'latin1').toString()).toBe('grün 日本 😀')
  expect(sent.get('x-plain')).toBe('a')
})

it.each([
  ['plain', 'plain'],
  ['filename="\u00e5\u00a0\u00b1\u00e5\u0091\u008a.txt"', 'filename="\u5831\u544a.txt"'],
  ['caf\u00e9', 'caf\u00e9'],
])('reads the received header %j as %j', (received, expected) => expect(fromUtf8(received)).toBe(expected))
