import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kib } from '#core/units.ts'
import { ResponseExcerpt } from './response-excerpt.ts'

const names = ['id', 'model', 'usage', 'tool_usage', 'tools'] as const
/** Short enough to be kept whole. */
const value = fc.jsonValue({ maxDepth: 3 }).filter((each) => JSON.stringify({ each }, null, 2).length < kib)
const members = fc.record(
  { ...Object.fromEntries(names.map((name) => [name, value])), metadata: value, output: value, 'us"age': value },
  { requiredKeys: [] },
)
const picked = (object: Record<string, unknown>) =>
  Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]))

function excerptOf(json: string, size: number): unknown {
  const excerpt = new ResponseExcerpt()
  const bytes = Buffer.from(json)
  for (let at = 0; at < bytes.length; at += size) excerpt.push(bytes.subarray(at, at + size))
  return JSON.parse(excerpt.json().toString())
}

test('the members of a response, and of one within an event, are found wherever the bytes are cut', () => {
  const parsed = members.map((object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>)
  fc.assert(
    fc.property(parsed, parsed, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), (own, inner, size, space) => {
      expect(excerptOf(JSON.stringify(own, null, space), size)).toEqual(picked(own))
      const event = excerptOf(`data: ${JSON.stringify({ ...own, response: inner })}\n\n`, size)
      const response = picked(inner)
      const isEmpty = Object.keys(response).length === 0
      expect(event).toEqual(isEmpty ? picked(own) : { ...picked(own), response })
    }),
  )
})

test.each([
  ['too long', { usage: 'x'.repeat(9_000), id: 'a' }, { id: 'a' }],
  ['of parts', { tools: [{ usage: 1 }], output: { response: { usage: 2 } } }, { tools: [{ usage: 1 }] }],
])('values that are %s are left out', (_what, response, excerpt) => {
  expect(excerptOf(JSON.stringify(response), 7)).toEqual(excerpt)
})

test('an earlier member of the same name, in any spelling, stays visible in another letter case', () => {
  const json = String.raw`{"type":"a","\u0074ype":"b","id":1,"id":"${'x'.repeat(2_000)}"}`
  expect(excerptOf(json, 7)).toEqual({ TYPE: 'a', type: 'b', ID: 1 })
})
