import { describe, expect, it } from 'vitest'
import { defaultRequest, requestPath, sentBody, sentHeaders, withEndpoint } from './tester-request.ts'

describe('requestPath', () => {
  it.each([
    ['/v1/models', '/api/proxy/v1/models'],
    [' v1/models?limit=1', '/api/proxy/v1/models?limit=1'],
    ['/api/proxy/v1/models', '/api/proxy/v1/models'],
    ['http://127.0.0.1:3000/api/proxy/v1/models', '/api/proxy/v1/models'],
    ['//elsewhere.example/v1', '/api/proxy//elsewhere.example/v1'],
  ])('takes %j to %s', (endpoint, path) => expect(requestPath(endpoint)).toBe(path))
})

describe('sentHeaders', () => {
  it('names JSON when the headers name nothing', () =>
    expect(sentHeaders({ ...defaultRequest, headers: '' })).toEqual({ 'Content-Type': 'application/json' }))
  it('keeps the type that is named, in any case', () =>
    expect(sentHeaders({ ...defaultRequest, headers: '{"content-type":"text/plain"}' })).toEqual({
      'content-type': 'text/plain',
    }))
  it.each(['{', '[]', '"text"', '{"a":{}}', 'null'])('refuses %j', (headers) =>
    expect(() => sentHeaders({ ...defaultRequest, headers })).toThrow(),
  )
})

it('sends no body with GET', () => expect(sentBody({ ...defaultRequest, method: 'GET' })).toBeUndefined())

describe('withEndpoint', () => {
  it('brings the sample of the endpoint', () =>
    expect(withEndpoint(defaultRequest, '/v1/models')).toMatchObject({ method: 'GET', endpoint: '/v1/models' }))
  it('leaves an edited body alone', () =>
    expect(withEndpoint({ ...defaultRequest, body: '{}' }, '/v1/embeddings')).toMatchObject({
      method: 'POST',
      body: '{}',
    }))
})
