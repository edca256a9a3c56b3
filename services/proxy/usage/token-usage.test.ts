import { expect, test } from 'vitest'
import { findTokenUsage } from './response-usage.ts'

test.each([
  [
    'chat',
    '{"choices":[{"message":{"content":"\\"usage\\":{"}}],"usage":{"prompt_tokens":5,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":2}},"x":1}',
    { promptTokens: 5, completionTokens: 7, cachedTokens: 2 },
  ],
  [
    'embeddings',
    '{"data":[],"usage": {"prompt_tokens": 5, "total_tokens": 5}}',
    { promptTokens: 5, completionTokens: 0, cachedTokens: 0 },
  ],
  [
    'responses',
    'data: {"response":{"usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":1},"output_tokens":4}}}\n\n',
    { promptTokens: 3, completionTokens: 4, cachedTokens: 1 },
  ],
])('tokens of a %s response are found', (_name, text, usage) => {
  expect(findTokenUsage(text)).toEqual(usage)
})

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
