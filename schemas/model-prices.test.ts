import { expect, test } from 'vitest'
import { costNanoUsd } from './model-prices.ts'

const tokens = { promptTokens: 1_000, completionTokens: 100, cachedTokens: 0 }

test.each([
  ['gpt-4o', 3_500_000],
  ['gpt-4o-2024-08-06', 3_500_000],
  ['openai/gpt-4o', 3_500_000],
  ['gpt-4o-2024-05-13', 6_500_000],
  ['gpt-4-0613', 36_000_000],
  ['text-embedding-3-small', 20_000],
])('%s costs %d nano-USD for 1,000 + 100 tokens', (model, cost) => {
  expect(costNanoUsd(model, tokens)).toBe(cost)
})

test('cached tokens have a separate price', () => {
  expect(costNanoUsd('gpt-4o', { ...tokens, cachedTokens: 800 })).toBe(200 * 2_500 + 800 * 1_250 + 100 * 10_000)
})

test('all tokens of a long prompt cost the long-context price', () => {
  const long = { promptTokens: 300_000, completionTokens: 10, cachedTokens: 0 }
  expect(costNanoUsd('gpt-5.4', long)).toBe(300_000 * 5_000 + 10 * 22_500)
})

test.each(['llama-3', 'gpt-4o-audio', 'ft:gpt-4o:acme::1', ''])('%s has no known price', (model) => {
  expect(costNanoUsd(model, tokens)).toBeNull()
})
