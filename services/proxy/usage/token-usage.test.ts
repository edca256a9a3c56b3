import { expect, test } from 'vitest'
import { findTokenUsage } from './response-usage.ts'

test.each([
  '',
  '{"usage":null}',
  '{"usage":{}}',
  '{"usage":{"prompt_tokens":-1}}',
  '{"usage":{"prompt_tokens":1,"completion_tokens":-1}}',
  '{"usage":{"prompt_tokens":1,"completion_tokens":1e99}}',
  '{"usage":{"prompt_tokens":1.5,"completion_tokens":1}}',
  '{"usage":{"prompt_tokens":"1","completion_tokens":1}}',
  '{"usage":{"prompt_tokens":1,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":-9}}}',
  '{"usage":{"prompt_tokens":1',
  '"usage"',
])('%s has no usage', (text) => {
  expect(findTokenUsage(text)).toBeUndefined()
})
