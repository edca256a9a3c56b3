import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCutJson } from './parse-cut-json.ts'

test.each<[string, unknown]>([
  ['{"a":1}', { a: 1 }],
  ['{"a":[1,{"b":"two wor', { a: [1, { b: 'two wor' }] }],
  ['{"a":"x","b":', { a: 'x' }],
  ['{"a":"x","bc', { a: 'x' }],
  ['{"a":"x","b":tru', { a: 'x' }],
  ['{"a":', {}],
  [String.raw`{"a":"back\\slash and \u00`, { a: String.raw`back\slash and ` }],
  [String.raw`{"a":"quote \"`, { a: 'quote "' }],
  ['[{"a":1},{"b":2', [{ a: 1 }, { b: 2 }]],
  ['no JSON', undefined],
  ['', undefined],
])('%j', (text, expected) => expect(parseCutJson(text)).toEqual(expected))

test('wherever JSON is cut, its beginning is read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, at) => {
      const text = JSON.stringify([value])
      expect(parseCutJson(text.slice(0, 1 + (at % text.length)))).toBeInstanceOf(Array)
    }),
  )
})
