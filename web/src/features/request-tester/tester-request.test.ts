import { describe, expect, it } from 'vitest'
import {
  defaultRequest,
  endpointError,
  requestPath,
  sentBody,
  sentHeaders,
  withEndpoint,
  withoutSecrets,
} from './tester-request.ts'

describe('requestPath', () => {
  it.each([
    ['/v1/models', '/api/proxy/v1/models'],
    [' v1/models?limit=1', '/api/proxy/v1/models?limit=1'],
    ['/api/proxy/v1/models', '/api/proxy/v1/models'],
  ])('maps %j to %s', (endpoint, path) => expect(requestPath(endpoint)).toBe(path))

  it.each([
    '/../user/account',
    '/v1/../../user/account',
    '/v1/./models',
    '/v1/.\t./../user',
    '//elsewhere.example/v1/models',
    '/v1//elsewhere.example',
    String.raw`/v1/..\..\user`,
    String.raw`\\elsewhere.example\v1`,
    '/v1/%2e%2e/%2E%2E/user/account',
    '/v1/.%2e/x',
    '/v1/..;/x',
    'http://127.0.0.1:3000/api/proxy/v1/models',
    'https://elsewhere.example/v1/models',
    'javascript:alert(1)',
    '/api/proxy/config',
    '/api/user/account',
    '/v2/models',
    '',
  ])('row 69: rejects %j', (endpoint) => {
    expect(endpointError(endpoint)).toMatch(/^Enter a path/)
    expect(() => requestPath(endpoint)).toThrow(TypeError)
  })
})

describe('sentHeaders', () => {
  it('defaults the content type to JSON', () =>
    expect(sentHeaders({ ...defaultRequest, headers: '{}' })).toEqual({ 'Content-Type': 'application/json' }))
  it('keeps an explicit content type, in any case', () =>
    expect(sentHeaders({ ...defaultRequest, headers: '{"content-type":"text/plain"}' })).toEqual({
      'content-type': 'text/plain',
    }))
  it.each(['', '{', '[]', '"text"', '{"a":{}}', 'null'])('rejects %j', (headers) =>
    expect(() => sentHeaders({ ...defaultRequest, headers })).toThrow(),
  )
})

it('sends no body with GET', () => expect(sentBody({ ...defaultRequest, method: 'GET' })).toBeUndefined())

describe('withEndpoint', () => {
  it('applies the sample of the endpoint', () =>
    expect(withEndpoint(defaultRequest, '/v1/models')).toMatchObject({ method: 'GET', endpoint: '/v1/models' }))
  it('leaves an edited body alone', () =>
    expect(withEndpoint({ ...defaultRequest, body: '{}' }, '/v1/embeddings')).toMatchObject({
      method: 'POST',
      body: '{}',
    }))
})

it('stores no credentials', () => {
  const request = {
    ...defaultRequest,
    endpoint: '/v1/models?limit=1&key=abc&after=b',
    headers: '{"Authorization":"Bearer st_x","X-Tenant":"a","X-Note":"sk-0123456789abcdef0"}',
  }
  expect(withoutSecrets(request)).toEqual({
    ...request,
    endpoint: '/v1/models?limit=1&after=b',
    headers: '{\n  "X-Tenant": "a"\n}',
  })
})
