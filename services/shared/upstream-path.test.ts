import { expect, test } from 'vitest'
import { upstreamPath } from './upstream-path.ts'

test.each([
  ['https://api.openai.com', ''],
  ['https://api.openai.com/', ''],
  ['https://api.openai.com/v1', ''],
  ['https://api.openai.com/v1/', ''],
  ['https://example.com/openai/v1', '/openai'],
  ['https://example.com/openai/v10', '/openai/v10'],
])('%s has the path "%s"', (baseUrl, path) => {
  expect(upstreamPath(baseUrl, '')).toBe(path)
})
