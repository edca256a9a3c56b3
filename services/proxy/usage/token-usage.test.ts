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
  '{"usage":{"type":"duration","seconds":-1}}',
  '{"usage":{"type":"duration","seconds":1e99}}',
  '{"usage":{"type":"duration","seconds":"1"}}',
  '{"usage":{"prompt_tokens":1',
  '"usage"',
])('%s has no usage', (text) => {
  expect(findTokenUsage(text)).toBeUndefined()
})

test.each([
  [{ prompt_tokens: 3, completion_tokens: null, prompt_tokens_details: { cached_tokens: null } }, [3, 0, 0]],
  [{ prompt_tokens: null, input_tokens: 3, output_tokens: 1 }, [3, 1, 0]],
  [{ input_tokens: 3, cache_read_input_tokens: 2 }, [5, 0, 2]],
  [{ input_tokens: 3, cache_creation_input_tokens: 2 }, [5, 0, 0]],
  [{ prompt_tokens: 3, cost: 2_000_000 }, [3, 0, 0]],
])('%j are prompt, completion and cached tokens %j', (usage, tokens) => {
  const read = findTokenUsage(JSON.stringify({ usage }))
  expect([read?.promptTokens, read?.completionTokens, read?.cachedTokens]).toEqual(tokens)
  expect(read?.reportedCostNanoUsd).toBeUndefined()
})
