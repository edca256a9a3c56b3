import { expect, test } from 'vitest'
import { readMetadata } from './metadata.ts'

const endpoint = '/v1/chat/completions'
const headers = { 'content-type': 'application/json' }
const read = async (json: string, query = '', types: Parameters<typeof readMetadata>[1] = headers) => {
  const bytes = Buffer.from(json)
  return readMetadata({ bytes, length: bytes.length }, types, { endpoint, pathAndQuery: endpoint + query })
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
  ['application/json', 'identity', 'a'],
  ['Application/vnd.api+JSON ; charset="UTF-8"', undefined, 'a'],
  ['text/json;charset=iso-8859-1;', undefined, 'a'],
  ['application/x-www-form-urlencoded; x=json', undefined, null],
  ['application/x-www-form-urlencoded, application/json', undefined, null],
  ['application/json; charset=utf-7', undefined, null],
  ['application/json; charset=utf-8; charset=utf-7', undefined, null],
  ['application/json', 'br', null],
])(
  'row 64: of a body that servers may read in two ways, the model is unknown: %s, %s',
  async (type, encoding, model) => {
    const types = { 'content-type': type, ...(encoding !== undefined && { 'content-encoding': encoding }) }
    expect((await read('{"model":"a","x":"&model=b&"}', '', types)).model).toBe(model)
  },
)

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

test('row 64: a form may name no other model than its query', async () => {
  const form = '--xyz\r\nContent-Disposition: form-data; name="model"\r\n\r\na\r\n--xyz--\r\n'
  const types = { 'content-type': 'multipart/form-data; boundary=xyz' }
  expect((await read(form, '?model=a', types)).model).toBe('a')
  await expect(read(form, '?model=b', types)).rejects.toThrow('ambiguous_model')
})

test.each([
  ['/v1/deployments/gpt-4o/chat/completions', 'gpt-4o'],
  ['/v1/engines/davinci/completions', 'davinci'],
  ['/v1/models/gemini-2.5-pro:generateContent', 'gemini-2.5-pro'],
  ['/v1/deployments/my%20gpt/chat/completions', 'my gpt'],
  ['/v1/%64eployments/gpt-4o/chat/completions', 'gpt-4o'],
  ['/v1/Deployments/gpt%zz/chat/completions', 'gpt%zz'],
  ['/v1/models/org%2Fm:predict', 'org/m'],
  ['/v1/models/gemini%3AgenerateContent', 'gemini'],
  ['/v1/publishers/google/models/gemini:generateContent', 'gemini'],
  ['/v1/projects/p/locations/global/publishers/google/models/gemini:generateContent', 'gemini'],
  ['/v1/models/gpt-4o', 'a'],
  ['/v1/deployments/gpt-4o', 'a'],
])('row 64: the provider takes the model of the path %s, whatever the body names', async (path, model) => {
  const bytes = Buffer.from('{"model":"a","stream":true}')
  const target = { endpoint: path, pathAndQuery: path }
  expect(await readMetadata({ bytes, length: bytes.length }, headers, target)).toMatchObject({ model })
})

test.each([
  ['streamGenerateContent', '?alt=sse', true],
  ['streamGenerateContent', '?key=a&%61lt=sse', true],
  ['streamGenerateContent', '', false],
  ['streamGenerateContent', '?alt=json', false],
  ['streamGenerateContent', '?alt=sse&alt=json', false],
  ['streamGenerateContent', '?alt=sse&$alt=json', false],
  ['generateContent', '?alt=sse', false],
])("Google's %s%s is a stream of events: %s", async (method, query, isStream) => {
  const bytes = Buffer.from('{"contents":[],"stream":true}')
  const path = `/v1/models/gemini-2.5-pro:${method}`
  const target = { endpoint: path, pathAndQuery: path + query }
  const metadata = await readMetadata({ bytes, length: bytes.length }, headers, target)
  expect(metadata).toMatchObject({ model: 'gemini-2.5-pro', isGoogle: true, isStream })
})

test("a stream of Azure's deployments is asked for its usage", async () => {
  const bytes = Buffer.from('{"stream":true}')
  const path = '/v1/deployments/ours/chat/completions'
  const target = { endpoint: path, pathAndQuery: `${path}?api-version=2024-10-21` }
  const metadata = await readMetadata({ bytes, length: bytes.length }, headers, target)
  expect(metadata.bodyWithUsage?.toString()).toContain('include_usage')
})

test.each([
  ['{"stream":true}', '{"stream_options":{"include_usage":true},"stream":true}'],
  [' {"stream":true}', ' {"stream_options":{"include_usage":true},"stream":true}'],
  ['{"stream":true,"stream_options":{"include_usage":false}}', undefined],
  ['{"stream":true,"stream_options":null}', undefined],
  ['{"stream":"true"}', undefined],
  ['{"stream":true', undefined],
  ['{}', undefined],
])('usage is requested only for a stream without stream options: %s', async (json, expected) => {
  expect((await read(json)).bodyWithUsage?.toString()).toBe(expected)
})

const interact = async (json: string) => {
  const bytes = Buffer.from(json)
  const target = { endpoint: '/v1/interactions', pathAndQuery: '/v1/interactions' }
  return readMetadata({ bytes, length: bytes.length }, headers, target)
}

test('an agent at Google has models of its own, whatever the request names besides', async () => {
  expect(await interact('{"model":"m"}')).toMatchObject({ model: 'm', isInteraction: true })
  expect(await interact('{"agent":"a","stream":true}')).toMatchObject({ model: null, bodyWithUsage: undefined })
  for (const agent of ['agent', 'Agent']) {
    await expect(interact(`{"model":"m","${agent}":"a"}`)).rejects.toThrow('ambiguous_model')
  }
})

test('a large body is read like a small one, over several turns', async () => {
  const padding = 'x'.repeat(2_000_000)
  expect((await read(`{"a":["${padding}",{"model":"no"}],"model":"large","stream":true}`)).model).toBe('large')
  expect((await read(`{"a":"${padding}","model":"large"`)).model).toBeNull()
})
