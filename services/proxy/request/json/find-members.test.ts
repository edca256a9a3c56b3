import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findMembers } from './find-members.ts'

const wanted = ['model', 'stream', 'stream_options'] as const

/** Values of the wanted members; undefined if it is not an object. */
function read(json: Buffer): Record<string, unknown> | undefined {
  const members = findMembers(json, wanted)
  return members && Object.fromEntries(wanted.map((name) => [name, valueOf(json, members[name])]))
}
const valueOf = (json: Buffer, member?: { from: number; to: number }): unknown =>
  member && JSON.parse(json.toString('utf8', member.from, member.to))

function parse(json: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json.toString())
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return Object.fromEntries(wanted.map((name) => [name, (value as Record<string, unknown>)[name]]))
  } catch {
    return undefined
  }
}

const gap = fc.stringMatching(/^[ \n\r\t]{0,3}$/)
const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
  fc.stringMatching(/^(?:[a-z ]|\\["\\/bfnrtu]|\\u[0-9a-fA-F]{4}){0,40}$/).map((inner) => `"${inner}"`),
)
const escape = (letter: string) => String.raw`\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
const name = fc
  .tuple(fc.constantFrom(...wanted, 'Model', 'models', 'mode', ''), fc.array(fc.boolean(), { maxLength: 14 }))
  .map(([plain, isEscaped]) => `"${[...plain].map((each, at) => (isEscaped[at] ? escape(each) : each)).join('')}"`)

/** JSON with repeated and escaped names, and white space everywhere. */
const { object } = fc.letrec<{ value: string; array: string; member: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom('true', 'false', 'null', '0', '-0', '1e5', '12', '-3.25E-7', '10.0'),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    tie('array'),
    tie('object'),
  ),
  array: fc.tuple(gap, fc.array(tie('value'), { maxLength: 4 })).map(([_, values]) => `[${_}${values.join(`${_},`)}]`),
  member: fc.tuple(gap, fc.oneof(text, name), tie('value')).map(([_, key, value]) => `${key}${_}:${_}${value}`),
  object: fc
    .tuple(gap, fc.array(tie('member'), { maxLength: 5 }))
    .map(([_, members]) => `${_}{${_}${members.join(`${_},${_}`)}${_}}${_}`),
}))

test('any object is read like JSON.parse reads it', () => {
  fc.assert(
    fc.property(object, (json) => {
      expect(read(Buffer.from(json))).toEqual(parse(Buffer.from(json)))
    }),
    { numRuns: 1_000 },
  )
})

test('damaged JSON is read like JSON.parse reads it', () => {
  const character = fc.oneof(
    fc.constantFrom('', ...'{}[],:"\\0-.eEtun \n'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(2), character), { maxLength: 3 })
  fc.assert(
    fc.property(object, damage, (whole, cuts) => {
      const json = Buffer.from(cuts.reduce((rest, cut) => replaceIn(rest, ...cut), whole))
      expect(read(json)).toEqual(parse(json))
    }),
    { numRuns: 2_000 },
  )
})
function replaceIn(json: string, position: number, length: number, character: string): string {
  const at = position % (json.length + 1)
  return json.slice(0, at) + character + json.slice(at + length)
}

const fragments = ['', ' ', '{', '{}', '{}{}', '{} x', '[]', '"model"', '{"a":tru', '{"a":[1}', '{"a":"\\']
const punctuation = ['{"model":"a",}', '{,"model":"a"}', '{"model":}', '{"model" "a"}', '{"model":"a"]']
const nonJson = ['{"model":"a"/**/}', "{'model':'a'}", '\ufeff{"model":"a"}', '{"model":"a"}\0', '\u00a0{"model":"a"}']
const values = ['01', '1.', '.5', '-', '+1', '1e', '1e+', '0e1', 'truE', 'nulll', '[1,]', '[,1]', '"\t"']
const escapes = [String.raw`"\x41"`, String.raw`"\u00g1"`]
const objects = [...values, ...escapes].map((value) => `{"a":${value}}`)

test.each([...fragments, ...punctuation, ...nonJson, ...objects])('%j is read like JSON.parse reads it', (json) => {
  expect(read(Buffer.from(json))).toEqual(parse(Buffer.from(json)))
})

test('invalid UTF-8 does not end a string early', () => {
  const json = Buffer.from('{"a":"\xe2\x22,"model":"\xff\xc3"}', 'latin1')
  expect(read(json)).toEqual({ model: '\ufffd\ufffd', stream: undefined, stream_options: undefined })
})

test('names are counted in any letter case and spelling, but not in nested objects', () => {
  const json = Buffer.from(
    String.raw`{"Model":"a","m\u006fdel":"b","\u004D\u004fDEL":"c","x":{"model":"d"},"STREAM":true,"model2":1}`,
  )
  const members = findMembers(json, wanted)
  expect(members?.model?.count).toBe(3)
  expect(valueOf(json, members?.model)).toBe('b')
  expect(members?.stream).toBeUndefined()
})

test('nesting is limited to a depth of 10,000', () => {
  expect(read(nested(9_999))).toMatchObject({ model: 'a' })
  expect(read(nested(10_000))).toBeUndefined()
})
const nested = (depth: number) => Buffer.from(`{"x":${'['.repeat(depth)}${']'.repeat(depth)},"model":"a"}`)
