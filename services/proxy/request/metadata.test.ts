import { expect, test } from 'vitest'
import { readMetadata } from './metadata.ts'

const endpoint = '/v1/chat/completions'
const read = async (json: string, query = '') => {
  const bytes = Buffer.from(json)
  return readMetadata({ bytes, length: bytes.length }, 'application/json', { endpoint, pathAndQuery: endpoint + query })
}

test.each([
  ['{"model":"gpt-4o"}', 'gpt-4o'],
  [String.raw`{"mod\u0065l":"gpt\u002d4o"}`, 'gpt-4o'],
  ['{"Model":"a"}', null],
  [`{"model":"${'m'.repeat(200)}"}`, 'm'.repeat(200)],
  [`{"model":"${'m'.repeat(201)}"}`, null],
  [`{"model":"${'m'.repeat(5_000)}"}`, null],
  [`{"model":"${String.raw`\u006d`.repeat(200)}"}`, 'm'.repeat(200)],
  ['{"model":"a"', null],
])('the model of %s is %s', async (json, model) => {
  expect((await read(json)).model).toBe(model)
})

test.each([
  ['{"model":"a","model":"b"}', ''],
  ['{"MODEL":"a","model":"b"}', ''],
  [String.raw`{"\u006dodel":"a","model":"b"}`, ''],
  ['{"model":"a"}', '?model=b'],
  ['{"model":["a"]}', '?model=b'],
  ['', '?model=a&model=a'],
])('row 64: a model that is named twice is rejected: %s %s', async (json, query) => {
  await expect(read(json, query)).rejects.toThrow('ambiguous_model')
})

test('row 64: the same model in body and query is accepted', async () => {
  expect((await read('{"model":"b","x":{"model":"a"}}', '?model=b')).model).toBe('b')
})

test.each([
  ['{"stream":true}', '{"stream_options":{"include_usage":true},"stream":true}'],
  [' {"stream":true}', ' {"stream_options":{"include_usage":true},"stream":true}'],
  ['{"stream":true,"stream_options":null}', undefined],
  ['{"stream":"true"}', undefined],
  ['{"stream":true', undefined],
  ['{}', undefined],
])('usage is requested only for a stream without stream options: %s', async (json, expected) => {
  expect((await read(json)).bodyWithUsage?.toString()).toBe(expected)
})

test('a large body is read like a small one, over several turns', async () => {
  const padding = 'x'.repeat(2_000_000)
  expect((await read(`{"a":["${padding}",{"model":"no"}],"model":"large","stream":true}`)).model).toBe('large')
  expect((await read(`{"a":"${padding}","model":"large"`)).model).toBeNull()
})
