import { expect, test } from 'vitest'
import { AmbiguousModelError, readMetadata } from './metadata.ts'

const target = { endpoint: '/v1/chat/completions', pathAndQuery: '/v1/chat/completions' }
const read = async (json: string, query = '') => {
  const bytes = Buffer.from(json)
  return readMetadata({ bytes, length: bytes.length }, 'application/json', {
    ...target,
    pathAndQuery: target.pathAndQuery + query,
  })
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
])('of %s the model is %s', async (json, model) => {
  expect((await read(json)).model).toBe(model)
})

test('row 64: a model that is named twice is refused', async () => {
  for (const other of ['model', 'MODEL', String.raw`\u006dodel`]) {
    await expect(read(`{"${other}":"a","model":"b"}`)).rejects.toThrow(AmbiguousModelError)
  }
  await expect(read('{"model":"a"}', '?model=b')).rejects.toThrow(AmbiguousModelError)
  await expect(read('{"model":["a"]}', '?model=b')).rejects.toThrow(AmbiguousModelError)
  await expect(read('', '?model=a&model=a')).rejects.toThrow(AmbiguousModelError)
  expect((await read('{"model":"b","x":{"model":"a"}}', '?model=b')).model).toBe('b')
})

test('only a stream that does not say whether it wants usage is asked for it', async () => {
  const asked = '{"stream_options":{"include_usage":true},"stream":true}'
  expect((await read('{"stream":true}')).bodyWithUsage?.toString()).toBe(asked)
  expect((await read(' {"stream":true}')).bodyWithUsage?.toString()).toBe(` ${asked}`)
  for (const json of ['{"stream":true,"stream_options":null}', '{"stream":"true"}', '{"stream":true', '{}']) {
    expect((await read(json)).bodyWithUsage).toBeUndefined()
  }
})

test('a large body says the same as a small one, in several turns', async () => {
  const padding = 'x'.repeat(2_000_000)
  expect((await read(`{"a":["${padding}",{"model":"no"}],"model":"large","stream":true}`)).model).toBe('large')
  expect((await read(`{"a":"${padding}","model":"large"`)).model).toBeNull()
})
