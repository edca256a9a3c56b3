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
