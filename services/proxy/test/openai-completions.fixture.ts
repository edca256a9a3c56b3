import {
  chat,
  chatChunks,
  chatPath,
  chatStream,
  done,
  piece,
  plain,
  stream,
  type ProviderCase,
} from './provider-response.fixture.ts'

const chatUsage = (prompt: number, completion: number, cached = 0, more: object = {}) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 4, audio_tokens: 0, accepted_prediction_tokens: 0 },
  ...more,
})
const audioUsage = {
  prompt_tokens: 300,
  completion_tokens: 220,
  total_tokens: 520,
  prompt_tokens_details: { audio_tokens: 200, cached_tokens: 0, text_tokens: 100 },
  completion_tokens_details: { audio_tokens: 180, text_tokens: 40, reasoning_tokens: 0 },
}
const audioCost = 100 * 2_500 + 200 * 40_000 + 40 * 10_000 + 180 * 80_000
const gpt4o = 100 * 2_500 + 20 * 10_000
const tier = (service_tier: string | null) => ({ with: { service_tier } })

export const completionCases: readonly ProviderCase[] = [
  chat('gpt-4o', 'gpt-4o', chatUsage(100, 20), gpt4o, { tokens: [100, 20, 0] }),
  chatStream('gpt-4o', 'gpt-4o', chatUsage(100, 20), gpt4o, { tokens: [100, 20, 0] }),
  chat('gpt-4o cached', 'gpt-4o', chatUsage(1_100, 20, 1_024), 76 * 2_500 + 1_024 * 1_250 + 20 * 10_000),
  chatStream('gpt-4o cached', 'gpt-4o', chatUsage(1_100, 20, 1_024), 76 * 2_500 + 1_024 * 1_250 + 20 * 10_000),
  chat('a dated model', 'gpt-4o-mini-2024-07-18', chatUsage(7, 3), 7 * 150 + 3 * 600),
  chat('a price below a nano-USD', 'gpt-5-nano', chatUsage(1, 0, 1), 5),
  chat('rounded to a nano-USD', 'gpt-5-mini', chatUsage(1, 0, 1, {}), 12.5 + 0.5, tier('flex')),
  chat('gpt-5', 'gpt-5', chatUsage(100, 20), 100 * 1_250 + 20 * 10_000, tier('default')),
  chat('gpt-5 flex', 'gpt-5', chatUsage(100, 20, 40), 60 * 625 + 40 * 62.5 + 20 * 5_000, tier('flex')),
  chatStream('gpt-5 flex', 'gpt-5', chatUsage(100, 20, 40), 60 * 625 + 40 * 62.5 + 20 * 5_000, tier('flex')),
  chat('gpt-5 priority', 'gpt-5', chatUsage(100, 20), 100 * 2_500 + 20 * 20_000, tier('priority')),
  chatStream('gpt-5 priority', 'gpt-5', chatUsage(100, 20), 100 * 2_500 + 20 * 20_000, tier('priority')),
  chat('gpt-4.1 priority', 'gpt-4.1', chatUsage(100, 20), 100 * 3_500 + 20 * 14_000, tier('priority')),
  chat('gpt-4o-mini priority', 'gpt-4o-mini', chatUsage(100, 20), 100 * 250 + 20 * 1_000, tier('priority')),
  chat('no tier', 'gpt-4o', chatUsage(100, 20), gpt4o, tier(null)),
  chat('a tier without a price', 'gpt-4o', chatUsage(100, 20), null, { ...tier('scale'), tokens: [100, 20, 0] }),
  chat('flex without a price', 'gpt-4o', chatUsage(100, 20), null, tier('flex')),
  chat('audio', 'gpt-4o-audio-preview', audioUsage, audioCost),
  chatStream('audio', 'gpt-4o-audio-preview', audioUsage, audioCost),
  chat('fine-tuned', 'ft:gpt-4o-2024-08-06:acme::A1', chatUsage(100, 20), 100 * 3_750 + 20 * 15_000),
  chatStream('fine-tuned', 'ft:gpt-4.1-mini-2025-04-14:acme:x:1', chatUsage(9, 2), 9 * 800 + 2 * 3_200),
  chat('fine-tuned without a price', 'ft:gpt-5:acme::A1', chatUsage(100, 20), null, { tokens: [100, 20, 0] }),
  chat('a long prompt', 'gpt-5.4', chatUsage(272_001, 10), 272_001 * 5_000 + 10 * 22_500),
  chat('a prompt that is just not long', 'gpt-5.4', chatUsage(272_000, 10), 272_000 * 2_500 + 10 * 15_000),
  chat('a cheaper price since July', 'gpt-5.6-luna', chatUsage(1_000, 100), 1_000 * 200 + 100 * 1_200),
  chat(
    'cache writes',
    'gpt-5.6-terra',
    chatUsage(1_000, 0, 0, { prompt_tokens_details: { cache_write_tokens: 400 } }),
    600 * 2_000 + 400 * 2_500,
  ),
  chat('a model without a price', 'gpt-99', chatUsage(100, 20), null, { tokens: [100, 20, 0] }),
  chat(
    'details that are null',
    'gpt-4o',
    { ...chatUsage(100, 20), prompt_tokens_details: null, completion_tokens_details: null },
    gpt4o,
  ),
  chat('no usage', 'gpt-4o', null, null),
  chat('a count that is none', 'gpt-4o', { ...chatUsage(100, 20), completion_tokens: -1 }, null),
  chat('a stored completion', 'gpt-4o', chatUsage(100, 20), 0, {
    method: 'GET',
    path: `${chatPath}/chatcmpl-1`,
    request: null,
  }),
  chat('an update of a stored completion', 'gpt-4o', chatUsage(100, 20), 0, {
    path: `${chatPath}/chatcmpl-1`,
    request: { metadata: {} },
  }),
  plain('an error', chatPath, { model: 'gpt-4o' }, { error: { message: 'No', code: 'x' } }, 0, { status: 400 }),
  plain('an error that is not charged', chatPath, { model: 'gpt-4o' }, { error: { message: 'Slow' } }, 0, {
    status: 429,
  }),
  chatChunks(
    'usage not wanted',
    'gpt-4o',
    [
      [piece, {}],
      [piece, {}],
    ],
    39 * 2_500 + 3 * 10_000,
    {
      asked: { stream_options: { include_usage: false } },
      isEstimated: true,
    },
  ),
  chatChunks(
    'usage wanted',
    'gpt-4o',
    [
      [piece, { usage: null }],
      [[], { usage: chatUsage(100, 20) }],
    ],
    gpt4o,
    {
      asked: { stream_options: { include_usage: true } },
    },
  ),
  plain(
    'a legacy completion',
    '/v1/completions',
    { model: 'gpt-3.5-turbo-instruct', prompt: 'a' },
    {
      object: 'text_completion',
      model: 'gpt-3.5-turbo-instruct:20230824-v2',
      choices: [{ text: 'b' }],
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    },
    5 * 1_500 + 7 * 2_000,
  ),
  stream(
    'a legacy completion',
    '/v1/completions',
    { model: 'davinci-002', prompt: 'a' },
    [
      { choices: [{ text: 'b' }] },
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } },
      done,
    ],
    12 * 2_000,
  ),
]
