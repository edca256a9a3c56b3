import { expect, test } from 'vitest'
import { toUpstreamUrl } from './upstream-url.ts'

test.each([
  ['https://api.openai.com', 'https://api.openai.com/v1/models'],
  ['https://api.openai.com/', 'https://api.openai.com/v1/models'],
  ['https://api.openai.com/v1', 'https://api.openai.com/v1/models'],
  ['https://api.openai.com/v1/', 'https://api.openai.com/v1/models'],
  ['https://example.com/openai/v1', 'https://example.com/openai/v1/models'],
  [
    'https://generativelanguage.googleapis.com/v1beta/openai',
    'https://generativelanguage.googleapis.com/v1beta/openai/models',
  ],
  ['http://127.0.0.1:8000/v10', 'http://127.0.0.1:8000/v10/models'],
])('models of %s are at %s', (baseUrl, url) => {
  expect(toUpstreamUrl(baseUrl, '/models')).toBe(url)
})
