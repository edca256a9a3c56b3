import { expect, test } from 'vitest'
import { basePath, parseTarget } from './target.ts'

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
  ['https://api.openai.com', ''],
  ['https://api.openai.com/', ''],
  ['https://api.openai.com/v1', ''],
  ['https://api.openai.com/v1/', ''],
  ['https://example.com/openai/v1', '/openai'],
  ['https://example.com/openai/v10', '/openai/v10'],
])('%s leads below "%s"', (baseUrl, path) => {
  expect(basePath(baseUrl)).toBe(path)
})
