import { expect, test } from 'vitest'
import { modelsInQuery, parseTarget, sentEndpointOf, upstreamPathOf } from './target.ts'

test('the prefix is removed, and the endpoint has no query', () => {
  expect(parseTarget('/api/proxy/v1/models?limit=2')).toEqual({
    endpoint: '/v1/models',
    pathAndQuery: '/v1/models?limit=2',
  })
})

test.each([
  ['/v1', '/v1beta/models?pageSize=9'],
  ['/v1beta', '/v1beta/models?pageSize=9'],
  ['/v1/publishers/google', '/v1/publishers/google/models?pageSize=9'],
])("Google's version counts as the other one, and a base URL with the path %s replaces it: %s", (basePath, sent) => {
  const target = parseTarget('/api/proxy/v1beta/models?pageSize=9')!
  expect(target).toMatchObject({ endpoint: '/v1/models', pathAndQuery: '/v1/models?pageSize=9' })
  expect([sentEndpointOf(target), upstreamPathOf({ basePath }, target)]).toEqual(['/v1beta/models', sent])
})

test.each(['/api/proxy/v1beta', '/api/proxy/v1beta/../x', '/api/proxy/v1betax/models'])('%s is rejected', (url) => {
  expect(parseTarget(url)).toBeUndefined()
})

const traversals = [
  '../x',
  './x',
  '..',
  'a/../../x',
  '.\t./x',
  '\\..\\x',
  '..%2fadmin',
  'a%2F..%2Fb',
  'a%2f..',
  '.%2Fa',
  '..;x%2fa',
  '%2e%2e%2fx',
  '%252e%252e/x',
]
const parameters = ['..;/admin', '..;a=b/x', '.;', '..%3b/x']
const others = ['%00', 'x//y', 'x#y', 'x?a#b']

test.each([...traversals, ...parameters, ...others])('row 64: the path %j is rejected', (path) => {
  expect(parseTarget(`/api/proxy/v1/${path}`)).toBeUndefined()
})

test.each(['models/meta-llama%2FLlama-3-8B', 'models/a%2fb%2f..c', 'things%2F'])('%s travels as it is', (path) => {
  expect(parseTarget(`/api/proxy/v1/${path}`)?.endpoint).toBe(`/v1/${path}`)
})

test.each(['/%61pi/proxy/v1/models', '/api/proxy/%761/models', '/api/proxy/v1'])('%s is rejected', (url) => {
  expect(parseTarget(url)).toBeUndefined()
})

test.each([
  ['model=a', ['a']],
  ['a=b', []],
  ['submodel=a&models=b&model_id=c', []],
  ['model=a?&model=b', ['a?', 'b']],
  ['model=a&MODEL=b', ['a', 'b']],
  ['model=a&mod%65l=b', ['a', 'b']],
  ['model=a&model[]=b', ['a', 'b']],
  ['model=a;model=b', ['a;model=b', 'a', 'b']],
  ['x=1;model=b&model=a', ['a', 'b', 'a']],
  ['x=1;y=2&model=a', ['a']],
])('row 64: the models of %s are %j', (query, models) => {
  expect(modelsInQuery({ endpoint: '/v1/realtime', pathAndQuery: `/v1/realtime?${query}` })).toEqual(models)
})
