import {
  chat,
  chatBoth,
  chatChunks,
  chatPath,
  chatStream,
  chatStreamWithin,
  done,
  piece,
  plain,
  stream,
  counts,
  type ProviderCase,
} from './provider-response.fixture.ts'

const deepSeekUsage = counts(100, 20, { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 })
const deepSeek = 36 * 280 + 64 * 28 + 20 * 420
/** It repeats Anthropic's counts beside those of OpenAI's format. */
const litellmWrites = counts(1_000, 20, {
  prompt_tokens_details: {
    cached_tokens: 600,
    text_tokens: 100,
    cache_creation_tokens: 300,
    cache_creation_token_details: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 },
  },
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 600,
})
const sonnetWrites = 100 * 3_000 + 600 * 300 + 200 * 3_750 + 100 * 6_000 + 20 * 15_000
const vercelUsage = (cost: number) =>
  counts(100, 20, { cost, market_cost: cost, gateway_cost: cost, prompt_tokens_details: { video_tokens: 0 } })
const kimi = 60 * 600 + 40 * 150 + 20 * 2_500
const xaiUsage = counts(100, 20, {
  total_tokens: 420,
  prompt_tokens_details: { text_tokens: 100, cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 300 },
})
/** With the cost of the response that is in the cache. */
const litellmHit = { 'x-litellm-cache-key': '586bf3f3c1bf5aec', 'x-litellm-response-cost': '0.00045' }
const [cheap, dear] = [100 * 150 + 20 * 600, 100 * 2_500 + 20 * 10_000]
const withFallbacks = (
  name: string,
  model: string,
  responseModel: string | undefined,
  fallbacks: object,
  cost: number | null,
) =>
  plain(
    `a fallback, ${name}`,
    chatPath,
    { model, messages: [], ...fallbacks },
    { id: 'c', object: 'chat.completion', model: responseModel, choices: [], usage: counts(100, 20) },
    cost,
  )

export const otherCases: readonly ProviderCase[] = [
  withFallbacks('which answers', 'gpt-4o-mini', 'gpt-4o-2024-08-06', { models: ['gpt-4o'] }, dear),
  withFallbacks(
    'which is dearer and not needed',
    'gpt-4o-mini',
    'gpt-4o-mini-2024-07-18',
    { models: ['gpt-4o'] },
    cheap,
  ),
  withFallbacks('with a model that nobody named', 'gpt-4o-mini', 'gpt-5', { fallbacks: [{ model: 'gpt-4o' }] }, dear),
  withFallbacks('with no named model', 'gpt-4o', undefined, { fallbacks: ['gpt-4o-mini'] }, dear),
  withFallbacks('with an unknown price', 'gpt-4o-mini', undefined, { models: ['our-model'] }, null),
  withFallbacks('which can not be read', 'gpt-4o-mini', 'gpt-4o', { fallbacks: [{ 'gpt-4o-mini': ['gpt-4o'] }] }, null),
  chat('LiteLLM, with its cost', 'our-model', counts(100, 20), 988_500, {
    headers: { 'x-litellm-response-cost': '0.0009884999999999998' },
    tokens: [100, 20, 0],
  }),
  chat('LiteLLM, without a cost', 'gpt-4o', counts(100, 20), dear, { headers: { 'x-litellm-response-cost': '0.0' } }),
  plain('LiteLLM, an image', '/v1/images/generations', { model: 'dall-e-3' }, { created: 1, data: [] }, 40_000_000, {
    headers: { 'x-litellm-response-cost': '0.04' },
  }),
  ...chatBoth('LiteLLM, from its cache', 'gpt-4o', counts(100, 20), 0, { headers: litellmHit, tokens: [100, 20, 0] }),
  stream('LiteLLM, from its cache without usage', chatPath, { model: 'gpt-4o' }, [{ choices: piece }], 0, {
    headers: litellmHit,
    isEstimated: true,
  }),
  chatStream('LiteLLM, with a cost of its beginning', 'gpt-4o', counts(100, 20), dear, {
    headers: { 'x-litellm-response-cost': '0.0001' },
  }),
  ...chatBoth('LiteLLM, cache writes', 'claude-sonnet-4-5', litellmWrites, sonnetWrites, { tokens: [1_000, 20, 600] }),
  chatStream('Vercel', 'zai/glm-5', vercelUsage(0.002_546_74), 2_546_740),
  chat('Vercel, for nothing', 'zai/glm-5', vercelUsage(0), 0),
  chatChunks(
    'TensorX, usage beside an empty choice',
    'deepseek-chat',
    [
      [piece, {}],
      [[{ index: 0, delta: {} }], { usage: counts(100, 20, { prompt_tokens_details: { cached_tokens: 64 } }) }],
    ],
    deepSeek,
  ),
  chatChunks(
    'null usage around the only one',
    'deepseek-chat',
    [
      [piece, { usage: null }],
      [[], { usage: deepSeekUsage }],
      [[], { usage: null }],
    ],
    deepSeek,
  ),
  ...chatBoth('DeepSeek', 'deepseek-chat', deepSeekUsage, deepSeek, { tokens: [100, 20, 64] }),
  chatStreamWithin('DeepSeek, usage in the last choice', 'deepseek-chat', deepSeekUsage, deepSeek),
  stream(
    'DeepSeek, alive',
    chatPath,
    { model: 'deepseek-chat' },
    [': keep-alive\n\n', { choices: piece }, { choices: [], usage: deepSeekUsage }, done],
    deepSeek,
  ),
  chat('Kimi, cached', 'kimi-k2', counts(100, 20, { cached_tokens: 40 }), kimi, { tokens: [100, 20, 40] }),
  chatChunks(
    'Kimi, usage within a choice',
    'kimi-k2',
    [
      [piece, {}],
      [[{ index: 0, delta: {}, finish_reason: 'stop', usage: counts(100, 20, { cached_tokens: 40 }) }], {}],
    ],
    kimi,
  ),
  chat(
    'Qwen, cache writes',
    'qwen3-max',
    counts(1_000, 20, { prompt_tokens_details: { cached_tokens: 300, cache_creation_input_tokens: 600 } }),
    100 * 1_200 + 300 * 120 + 600 * 1_500 + 20 * 6_000,
  ),
  chat('vLLM', 'meta-llama/Llama-3.1-8B', { ...counts(100, 20), prompt_tokens_details: null }, 100 * 100 + 20 * 200, {
    with: { kv_transfer_params: null, prompt_logprobs: null },
  }),
  chatStream('vLLM', 'meta-llama/Llama-3.1-8B', counts(100, 20), 100 * 100 + 20 * 200),
  chatChunks(
    'vLLM, a usage in each chunk',
    'meta-llama/Llama-3.1-8B',
    [
      [piece, { usage: counts(100, 1) }],
      [piece, { usage: counts(100, 2) }],
      [[], { usage: counts(100, 20) }],
    ],
    100 * 100 + 20 * 200,
    { asked: { stream_options: { include_usage: true, continuous_usage_stats: true } } },
  ),
  chat('vLLM without a price', 'our-model', counts(100, 20), null),
  plain(
    'vLLM, ranks',
    '/v1/rerank',
    { model: 'meta-llama/rank' },
    { id: 'rerank-1', results: [], usage: { total_tokens: 56 } },
    null,
  ),
  ...chatBoth('Ollama', 'llama3.2', counts(100, 20), 0, {
    with: { system_fingerprint: 'fp_ollama' },
    tokens: [100, 20, 0],
  }),
  {
    ...chat('Ollama, lines', 'llama3.2', null, null),
    contentType: 'application/x-ndjson',
    body: '{"message":{"content":"Hi"},"done":false}\n{"done":true,"prompt_eval_count":9,"eval_count":2}\n',
    cost: 0,
    isEstimated: true,
  },
  chat('xAI, with its cost', 'grok-4', { ...xaiUsage, cost_in_usd_ticks: 2_709_000 }, 270_900),
  chatStream('xAI, with its cost', 'grok-9', { ...xaiUsage, cost_in_usd_ticks: 94_004 }, 9_400),
  chat('xAI, reasoning only in the total', 'grok-4', xaiUsage, 60 * 3_000 + 40 * 750 + 320 * 15_000),
  chat(
    'Perplexity, a cost in parts',
    'sonar',
    counts(10, 5, { cost: { input_tokens_cost: 0.000_01, request_cost: 0.005, total_cost: 0.005_015 } }),
    5_015_000,
  ),
  chat('Perplexity, by our price', 'sonar', counts(10, 5), 10 * 1_000 + 5 * 1_000 + 5_000_000),
]
