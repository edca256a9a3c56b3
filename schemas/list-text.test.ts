import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinList, splitList } from './list-text.ts'

test.each([
  ['', ['']],
  [',', ['', '']],
  ['gpt-4o,o3', ['gpt-4o', 'o3']],
  [String.raw`a\,b,c`, ['a,b', 'c']],
  [String.raw`a\\,b`, ['a\\', 'b']],
  [String.raw`org\model,x`, [String.raw`org\model`, 'x']],
])('%s', (text, values) => expect(splitList(text)).toEqual(values))

test('every list comes back from its text', () => {
  const value = fc.string({ unit: fc.constantFrom('a', ',', '\\', ' ') })
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (values) => {
      expect(splitList(joinList(values))).toEqual(values)
    }),
  )
})
