import { expect, test } from 'vitest'
import { createPriceList } from './model-prices.ts'
import type { SentModelPrice } from './own-model-prices.ts'

const prices = createPriceList()
const tokens = { promptTokens: 1_000, completionTokens: 100, cachedTokens: 0 }

test.each([
  ['gpt-4o', 3_500_000],
  ['gpt-4o-2024-08-06', 3_500_000],
  ['openai/gpt-4o', 3_500_000],
  ['gpt-4o-2024-05-13', 6_500_000],
  ['gpt-4-0613', 36_000_000],
  ['gpt-3.5-turbo-1106', 1_200_000],
  ['text-embedding-3-small', 20_000],
  ['ft:gpt-4o-2024-08-06:acme::1', 5_250_000],
  ['ft:gpt-4.1-nano-2025-04-14:acme:name:1', 280_000],
  ['omni-moderation-latest', 0],
])('%s costs %d nano-USD for 1,000 + 100 tokens', (model, cost) => {
  expect(prices.costNanoUsd(model, tokens)).toBe(cost)
})

test.each(['llama-3', 'gpt-4o-audio', 'ft:gpt-5:acme::1', 'acme/gpt-4o', 'whisper-1', ''])(
  '%s has no known price of tokens',
  (model) => expect(prices.costNanoUsd(model, tokens)).toBeNull(),
)

test('the name of a price is the one in its list, however a client spells the model', () => {
  const { nameOf } = createPriceList({
    operator: [{ pattern: 'llama-*', input: 1, cachedInput: null, output: 1, perRequest: null }],
  })
  const names = ['openai/gpt-4o', 'gpt-4o-9999', 'ft:gpt-4o:acme::1', 'ft:gpt-4o:other::2', 'llama-3', 'mistral']
  expect(names.map(nameOf)).toEqual(['gpt-4o', 'gpt-4o', 'ft:gpt-4o', 'ft:gpt-4o', 'llama-*', undefined])
})

test.each([
  ['cached tokens', 'gpt-4o', { cachedTokens: 800 }, 200 * 2_500 + 800 * 1_250 + 100 * 10_000],
  ['more cached tokens than tokens', 'gpt-4o', { cachedTokens: 9_999 }, 1_000 * 1_250 + 100 * 10_000],
  ['cache writes', 'gpt-4o', { cacheWriteTokens: 500 }, 500 * 2_500 + 500 * 3_125 + 100 * 10_000],
  ['a long prompt', 'gpt-5.4', { promptTokens: 300_000 }, 300_000 * 5_000 + 100 * 22_500],
  ['flex', 'gpt-5', { serviceTier: 'flex', cachedTokens: 1_000 }, 1_000 * 62.5 + 100 * 5_000],
  ['priority', 'gpt-4o', { serviceTier: 'priority' }, 1_000 * 4_250 + 100 * 17_000],
  ['fast', 'gpt-6.1-sol', { serviceTier: 'fast', cacheWriteTokens: 200 }, 800 * 4_000 + 200 * 5_000 + 100 * 20_000],
  ['ultrafast', 'gpt-6-astra', { serviceTier: 'ultrafast' }, 1_000 * 60_000 + 100 * 300_000],
  [
    'a window of 2 hours',
    'gpt-6.2-sol',
    { completionWindow: '2h' as const, webSearches: 1 },
    10_000_000 + 1_000 * 1_400 + 100 * 7_000,
  ],
  [
    'a window of 8 hours',
    'gpt-6.2-astra',
    { completionWindow: '8h' as const, cachedTokens: 1_000 },
    1_000 * 240 + 100 * 24_000,
  ],
  [
    'a window at another tier',
    'gpt-5',
    { completionWindow: '8h' as const, serviceTier: 'flex' },
    1_000 * 625 + 100 * 5_000,
  ],
  ['a fast long prompt', 'gpt-6-sol', { serviceTier: 'fast', promptTokens: 300_000 }, 300_000 * 8_000 + 100 * 30_000],
  ['a searching model', 'gpt-5-search-api', {}, 10_000_000 + 1_000 * 1_250 + 100 * 10_000],
  ['searches', 'gpt-6-luna', { webSearches: 3 }, 30_000_000 + 1_000 * 100 + 100 * 500],
  ['batch', 'gpt-4o', { serviceTier: 'batch', cachedTokens: 9 }, 1_000 * 1_250 + 100 * 5_000],
  ['the standard tier', 'gpt-4o', { serviceTier: 'default' }, 1_000 * 2_500 + 100 * 10_000],
  ['a tier without a price', 'gpt-4o', { serviceTier: 'scale' }, null],
  [
    'audio',
    'gpt-4o-audio-preview',
    { audioPromptTokens: 600, audioCompletionTokens: 80 },
    400 * 2_500 + 600 * 40_000 + 20 * 10_000 + 80 * 80_000,
  ],
  [
    'cached audio',
    'gpt-realtime',
    { cachedTokens: 500, audioPromptTokens: 600, cachedAudioTokens: 400 },
    300 * 4_000 + 100 * 400 + 200 * 32_000 + 400 * 400 + 100 * 16_000,
  ],
  ['images', 'gpt-image-1', { imagePromptTokens: 700 }, 300 * 5_000 + 700 * 10_000 + 100 * 40_000],
  ['images and text', 'gpt-image-1.5', { imageCompletionTokens: 90 }, 1_000 * 5_000 + 10 * 10_000 + 90 * 32_000],
  ['a duration', 'whisper-1', { seconds: 90 }, 9_000_000],
  ['a part of a second', 'whisper-1', { seconds: 0.5 }, 50_000],
  ['an hour', 'gpt-live-transcribe', { seconds: 3_600 }, 1_020_000_000],
  ['characters', 'tts-1-hd', { characters: 1_000 }, 30_000_000],
  ['a duration of a model that is priced by tokens', 'gpt-4o', { seconds: 9 }, null],
])('%s have a separate price', (_what, model, usage, cost) => {
  expect(prices.costNanoUsd(model, { ...tokens, ...usage })).toBe(cost)
})

test.each([
  ['https://eu.api.openai.com', 'gpt-5.4-2026-03-05', 1.1],
  ['https://us.api.openai.com', 'gpt-6-sol', 1.1],
  ['https://eu.api.openai.com', 'gpt-4o', 1],
  ['https://eu.api.openai.com', 'own', 1],
  ['https://api.openai.com', 'gpt-6-sol', 1],
])('at %s, tokens of %s cost %d times as much', (origin, model, factor) => {
  const [usual, regional] = [undefined, origin].map((at) => createPriceList({ own: [own('own', 1)], origin: at }))
  expect(regional!.costNanoUsd(model, tokens)).toBe(Math.round(usual!.costNanoUsd(model, tokens)! * factor))
  const expected = { promptTokens: 1_000, maxCompletionTokens: 100 }
  expect(regional!.upperCostNanoUsd(model, expected)).toBe(
    Math.round(usual!.upperCostNanoUsd(model, expected)! * factor),
  )
})

const costAt = (date: string) => prices.costNanoUsd('o3', tokens, Date.parse(date))
test('a request keeps the price of its day', () => {
  expect(costAt('2025-06-09T23:59:59Z')).toBe(14_000_000)
  expect(costAt('2025-06-10T00:00:00Z')).toBe(2_800_000)
})

const own = (pattern: string, input: number, more: Partial<SentModelPrice> = {}): SentModelPrice => ({
  pattern,
  input,
  cachedInput: null,
  output: 0,
  perRequest: null,
  ...more,
})
const list = createPriceList({
  own: [
    own('mistral-*', 1),
    own('mistral-large-*', 2),
    own('mistral-large-2', 3),
    own('a*b*c', 4),
    own('*', 0.000_001),
  ],
  operator: [own('gpt-4o', 5), own('mistral-large-1', 6)],
})

test.each([
  ['mistral-small', 1],
  ['mistral-large-1', 2],
  ['mistral-large-2', 3],
  ['a-b-b-c', 4],
  ['abc', 4],
  ['ab', 0.000_001],
  ['gpt-4o', 0.000_001],
])("of an account's prices, that of %s is %d", (model, usd) => {
  expect(list.costNanoUsd(model, { ...tokens, promptTokens: 1_000_000 })).toBe(usd * 1e9)
})

test("an account's prices win over the operator's, and those over OpenAI's", () => {
  const both = createPriceList({ own: [own('gpt-4*', 1)], operator: [own('gpt-4o', 2), own('gpt-5', 3)] })
  const million = { promptTokens: 1_000_000, completionTokens: 0, cachedTokens: 0 }
  const costs = ['gpt-4o', 'gpt-5', 'o3'].map((model) => both.costNanoUsd(model, million))
  expect(costs).toEqual([1e9, 3e9, 2e9])
})

test('an own price holds for cached tokens, any tier and each request', () => {
  const price = createPriceList({ own: [own('m', 2, { cachedInput: 1, output: 4, perRequest: 0.01 })] })
  const usage = { ...tokens, cachedTokens: 400, serviceTier: 'priority' }
  expect(price.costNanoUsd('m', usage)).toBe(600 * 2_000 + 400 * 1_000 + 100 * 4_000 + 10_000_000)
})

/** The published lists: short, long. */
const gemini = own('gemini-2.5-pro', 1.25, {
  cachedInput: 0.125,
  output: 10,
  longPrompts: { aboveTokens: 200_000, input: 2.5, output: 15 },
})
const flash = own('gemini-2.5-flash', 0.3, { cachedInput: 0.03, output: 2.5, audioInput: 1 })
const sonnet = own('claude-sonnet-4-5', 3, {
  cachedInput: 0.3,
  output: 15,
  longPrompts: { aboveTokens: 200_000, input: 6, output: 22.5 },
})
const haiku = own('claude-3-haiku', 0.25, { cachedInput: 0.03, cacheWrite: 0.3, output: 1.25 })
const odd = own('odd', 0.3, {
  cachedInput: 0.07,
  audioInput: 0.7,
  output: 0,
  longPrompts: { aboveTokens: 9, input: 1, output: 0.000_001 },
})
const free = own('free', 0, { perRequest: 0.04, longPrompts: { aboveTokens: 999, input: 2, output: 3 } })
const published = createPriceList({ own: [gemini, flash, sonnet, haiku, odd, free] })
const [writes, hourWrites] = [{ cacheWriteTokens: 50_000 }, { hourCacheWriteTokens: 30_000 }]
test.each([
  ['gemini-2.5-pro', 'at the threshold', 200_000, {}, 200_000 * 1_250 + 100 * 10_000],
  ['gemini-2.5-pro', 'long', 200_001, {}, 200_001 * 2_500 + 100 * 15_000],
  ['gemini-2.5-pro', 'cached', 200_000, { cachedTokens: 99_999 }, 100_001 * 1_250 + 99_999 * 125 + 100 * 10_000],
  ['gemini-2.5-pro', 'long, cached', 300_000, { cachedTokens: 290_000 }, 10_000 * 2_500 + 290_000 * 250 + 100 * 15_000],
  ['gemini-2.5-flash', 'audio', 1_000, { audioPromptTokens: 800 }, 200 * 300 + 800 * 1_000 + 100 * 2_500],
  [
    'gemini-2.5-flash',
    'cached audio',
    1_000,
    { cachedTokens: 700, audioPromptTokens: 800, cachedAudioTokens: 600 },
    100 * 300 + 100 * 30 + 200 * 1_000 + 600 * 100 + 100 * 2_500,
  ],
  ['claude-sonnet-4-5', 'writes', 100_000, writes, 50_000 * 3_000 + 50_000 * 3_750 + 100 * 15_000],
  ['claude-sonnet-4-5', 'writes for an hour', 100_000, hourWrites, 70_000 * 3_000 + 30_000 * 6_000 + 100 * 15_000],
  [
    'claude-sonnet-4-5',
    'long, all kinds',
    250_000,
    { ...writes, ...hourWrites, cachedTokens: 160_000 },
    10_000 * 6_000 + 160_000 * 600 + 50_000 * 7_500 + 30_000 * 12_000 + 100 * 22_500,
  ],
  [
    'claude-3-haiku',
    'writes at a price of their own',
    100_000,
    { ...writes, ...hourWrites, cachedTokens: 20_000 },
    20_000 * 30 + 50_000 * 300 + 30_000 * 500 + 100 * 1_250,
  ],
  ['odd', 'long, of prices without a round factor', 1_000, { audioPromptTokens: 9 }, 991 * 1_000 + 9 * 2_333.333 + 0.1],
  ['free', 'short', 999, { completionTokens: 9 }, 40_000_000],
  ['free', 'a duration', 0, { seconds: 9 }, 40_000_000],
  ['free', 'characters', 0, { characters: 9 }, 40_000_000],
  ['free', 'long', 1_000, { cachedTokens: 500, ...writes }, 40_000_000 + 1_000 * 2_000 + 100 * 3_000],
])('%s, %s: exactly as in its list', (model, _what, promptTokens, usage, cost) => {
  expect(published.costNanoUsd(model, { ...tokens, promptTokens, ...usage })).toBe(Math.round(cost))
})

test.each([
  ['gemini-2.5-pro', 200_000, 200_000 * 1_250 + 100 * 10_000],
  ['gemini-2.5-pro', 200_001, 200_001 * 2_500 + 100 * 15_000],
  ['gemini-2.5-flash', 1_000, 1_000 * 1_000 + 100 * 2_500],
  ['free', 1_000, 40_000_000 + 1_000 * 2_000 + 100 * 3_000],
])('%s costs at most the price for %d tokens', (model, promptTokens, cost) => {
  expect(published.upperCostNanoUsd(model, { promptTokens, maxCompletionTokens: 100 })).toBe(cost)
})

test('cache writes are reserved at the price of long prompts', () => {
  const expected = { promptTokens: 250_000, maxCompletionTokens: 0 }
  const costs = (['minutes', 'hour', 'halfDay'] as const).map((cachesFor) =>
    published.upperCostNanoUsd('claude-sonnet-4-5', { ...expected, cachesFor }),
  )
  expect(costs).toEqual([250_000 * 7_500, 250_000 * 12_000, 250_000 * 15_000])
})

test('a response without usage has a cost only where requests are all that is paid', () => {
  const requests = createPriceList({
    own: [own('dall-e-3', 0, { perRequest: 0.04 }), own('m', 1, { perRequest: 0.04 }), free],
  })
  expect(requests.requestCostNanoUsd('dall-e-3')).toBe(40_000_000)
  expect(['m', 'free', 'gpt-4o', 'unknown'].map((model) => requests.requestCostNanoUsd(model))).toEqual([
    null,
    null,
    null,
    null,
  ])
})

test.each([
  ['gpt-4o', 1_000 * 2_500 + 100 * 10_000],
  ['gpt-4o-audio-preview', 1_000 * 40_000 + 100 * 80_000],
  ['gpt-image-1.5', 1_000 * 8_000 + 100 * 32_000],
  ['tts-1', 4_000 * 15_000],
  ['omni-moderation-latest', 0],
  ['whisper-1', null],
  ['llama-3', null],
])('%s costs at most %j', (model, cost) => {
  expect(prices.upperCostNanoUsd(model, { promptTokens: 1_000, maxCompletionTokens: 100 })).toBe(cost)
})

test('patterns of many stars take no time', () => {
  const hostile = createPriceList({ own: [own(`${'a*'.repeat(99)}c`, 1)] })
  expect(hostile.costNanoUsd(`${'a'.repeat(200)}b`, tokens)).toBeNull()
})
