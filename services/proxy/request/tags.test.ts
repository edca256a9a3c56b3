import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { tagsOf } from './tags.ts'

const latin1 = (json: string) => Buffer.from(json).toString('latin1')
const read = (headers: Record<string, string>, settings: Partial<Parameters<typeof tagsOf>[1]> = {}) =>
  tagsOf({ headers } as unknown as IncomingMessage, { logTags: true, tags: null, ...settings })
const metadata = (value: string, settings?: Parameters<typeof read>[1]) =>
  read({ 'x-sallyport-metadata': latin1(value) }, settings)
const many = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v'])))

test.each([
  [
    'texts, numbers and booleans',
    '{"customer":"acme","seats":3,"trial":true}',
    { customer: 'acme', seats: '3', trial: 'true' },
  ],
  ['UTF-8', '{"customer":"Größe 漢"}', { customer: 'Größe 漢' }],
  ['a lone surrogate', '{"customer":"a\\ud800"}', { customer: 'a\ufffd' }],
  ['the longest', `{"${'k'.repeat(64)}":"${'v'.repeat(256)}"}`, { ['k'.repeat(64)]: 'v'.repeat(256) }],
  [
    'names with a meaning in JavaScript',
    '{"__proto__":"a","constructor":"b"}',
    Object.fromEntries([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]),
  ],
  ['nothing', '{}', {}],
])('%s', (_what, value, tags) => expect(metadata(value)).toEqual({ tags }))

test.each([
  ['no JSON', 'customer=acme', {}, 'x-sallyport-metadata'],
  ['a list', '["a"]', {}, 'x-sallyport-metadata'],
  ['a text', '"acme"', {}, 'x-sallyport-metadata'],
  ['null', 'null', {}, 'x-sallyport-metadata'],
  ['too long', `{"a":"${' '.repeat(10_000)}"}`, {}, 'x-sallyport-metadata'],
  ['an invalid key', '{"a b":"1","c":"2"}', { c: '2' }, 'a?b'],
  ['a key that would break a header', '{"a\\r\\nset-cookie: b":"1"}', {}, 'a??set-cookie??b'],
  [
    "a key of the gateway's own",
    '{"sallyport.secret":"previous","sallyport":"x"}',
    { sallyport: 'x' },
    'sallyport.secret',
  ],
  ['a key that is too long', `{"${'k'.repeat(65)}":"1"}`, {}, 'k'.repeat(64)],
  ['values that are no texts', '{"a":null,"b":{},"c":[],"d":""}', {}, 'a, b, c, d'],
  ['a value that is too long', `{"a":"${'v'.repeat(257)}","b":"1"}`, { b: '1' }, 'a'],
])('%s is ignored and named', (_what, value, tags, ignored) =>
  expect(metadata(value)).toEqual({ tags, warning: `tags ignored: ${ignored}` }),
)

test.each([
  [{ 'x-claude-code-session-id': 'a-1', 'session-id': 'b' }, { session: 'a-1' }],
  [{ 'session-id': '0199-c' }, { session: '0199-c' }],
  [{ 'session-id': 'b', 'x-sallyport-metadata': '{"session":"own"}' }, { session: 'own' }],
  [{ 'session-id': 'two words' }, {}],
  [{ 'session-id': 'x'.repeat(257) }, {}],
])('the session of an agent: %j', (headers, tags) => expect(read(headers)).toEqual({ tags }))

test('a header that is Latin-1, as fetch and Python send it, is read too', () =>
  expect(read({ 'x-sallyport-metadata': '{"customer":"Größe"}' })).toEqual({ tags: { customer: 'Größe' } }))

test('the first 16 are kept', () => {
  const { tags, warning } = metadata(many(18))
  expect([Object.keys(tags).length, warning]).toEqual([16, 'tags ignored: k16, k17'])
})

test('a warning stays short', () => expect(metadata(many(600)).warning!.length).toBeLessThanOrEqual(200))

test('tags of the token come first and can not be changed by a client', () => {
  const fixed = { customer: 'acme' }
  expect(read({}, { tags: fixed })).toEqual({ tags: fixed })
  expect(metadata('{"customer":"other","feature":"search"}', { tags: fixed })).toEqual({
    tags: { customer: 'acme', feature: 'search' },
  })
})

test('a trace comes from traceparent, unless it is sent as a tag', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  expect(read({ traceparent })).toEqual({ tags: { trace: '4bf92f3577b34da6a3ce929d0e0e4736' } })
  expect(read({ traceparent, 'x-sallyport-metadata': '{"trace":"mine"}' })).toEqual({ tags: { trace: 'mine' } })
  expect(read({ traceparent: 'nonsense' })).toEqual({ tags: {} })
  expect(read({ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` })).toEqual({ tags: {} })
})

test('an account can switch tags off', () =>
  expect(metadata('{"a":"1","b c":"2"}', { logTags: false, tags: { a: '1' } })).toEqual({ tags: {} }))
