import { expect, test } from 'vitest'
import { parseTarget } from './target.ts'

test('the prefix goes, the query stays for the provider and off the log', () => {
  expect(parseTarget('/api/proxy/v1/models?limit=2')).toEqual({
    endpoint: '/v1/models',
    pathAndQuery: '/v1/models?limit=2',
  })
})

test.each(['..%2fadmin', '../x', './x', 'a/../../x', '\\..\\x', '%00', '%252e%252e/x', 'x//y', '..'])(
  'a path with %s is refused',
  (path) => {
    expect(parseTarget(`/api/proxy/v1/${path}`)).toBeUndefined()
  },
)

test.each([
  '/%61pi/proxy/v1/models',
  '/api/proxy/%761/models',
  '/api/proxy/v1/x#y',
  '/api/proxy/v1/x?a#b',
  '/api/proxy/v1',
])('another spelling of the prefix, or a fragment, is refused: %s', (url) => {
  expect(parseTarget(url)).toBeUndefined()
})
