import fc from 'fast-check'
import { expect, test } from 'vitest'
import { topLevelNames } from './top-level-names.ts'

test('names come in order, repeated and escaped ones too, and none of what lies deeper', () => {
  expect(topLevelNames(String.raw`{"a":{"b":1},"\u0061": ["c",{"d":"}"}] ,"e\"":"\"f\":", "a"  :0}`)).toEqual([
    'a',
    'a',
    'e"',
    'a',
  ])
})

test('no gap is too wide and no string too long', () => {
  const gap = ' \n'.repeat(1_000)
  expect(topLevelNames(`{${gap}"a"${gap}:"${'x'.repeat(1_000_000)}\\\\"${gap},"b"${gap}:1}`)).toEqual(['a', 'b'])
})

test('whatever the object is, its names are found', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2), (object, indent) => {
      expect(topLevelNames(JSON.stringify(object, null, indent)).toSorted()).toEqual(Object.keys(object).toSorted())
    }),
  )
})
