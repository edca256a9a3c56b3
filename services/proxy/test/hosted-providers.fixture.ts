import {
  chat,
  chatBoth,
  chatChunks,
  chatPath,
  chatStream,
  chatStreamWithin,
  done,
  embedding,
  piece,
  plain,
  stream,
  counts,
  type ProviderCase,
} from './provider-response.fixture.ts'

const gpt4o = 100 * 2_500 + 20 * 10_000
const filterResults = { hate: { filtered: false, severity: 'safe' } }
const azurePath = '/v1/deployments/ours/chat/completions'
const azure: ProviderCase[] = [
  chat('Azure, a deployment named like its model', 'gpt-4o', counts(100, 20), gpt4o, {
    responseModel: 'gpt-4o-2024-11-20',
    with: {
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: filterResults }],
      system_fingerprint: 'fp',
    },
  }),
  ...chatBoth('Azure, a deployment of any name', 'our-assistant', counts(100, 20), gpt4o, {
    responseModel: 'gpt-4o-2024-11-20',
  }),
  plain(
    'Azure, a deployment in the path',
    azurePath,
    { messages: [] },
    { model: 'gpt-4o-2024-11-20', choices: [], usage: counts(100, 20) },
    gpt4o,
  ),
  stream(
    'Azure, filters before the first choice',
    chatPath,
    { model: 'gpt-4o' },
    [
      { choices: [], model: '', prompt_filter_results: [{ content_filter_results: filterResults }] },
      { choices: piece, model: 'gpt-4o-2024-11-20', usage: null },
      { choices: [], model: 'gpt-4o-2024-11-20', usage: counts(100, 20) },
      done,
    ],
    gpt4o,
  ),
  chat('Azure, a deployment of no known model', 'our-assistant', counts(100, 20), null, { responseModel: 'phi-4' }),
  embedding('Azure, an embedding', 'text-embedding-ada-002', 8, 800, { deployment: 'ours' }),
  plain(
    'Azure, a filtered prompt',
    chatPath,
    { model: 'gpt-4o' },
    { error: { code: 'content_filter', status: 400 } },
    0,
    { status: 400 },
  ),
]

const routed = (cost: unknown, more: object = {}) =>
  counts(194, 2, {
    cost,
    is_byok: false,
    prompt_tokens_details: { cached_tokens: 0 },
    cost_details: { upstream_inference_cost: null },
    ...more,
  })
const openRouter: ProviderCase[] = [
  ...chatBoth('OpenRouter', 'anthropic/claude-sonnet-4', routed(0.00063), 630_000, { with: { provider: 'Anthropic' } }),
  chatStreamWithin('OpenRouter, usage in the last choice', 'qwen/qwen3-8b', routed(1e-9), 1),
  chat('OpenRouter, for nothing', 'meta-llama/llama-3.3-70b-instruct:free', routed(0), 0),
  chat('OpenRouter believed rather than a price', 'openai/gpt-4o', routed(0.95), 950_000_000),
  chat(
    'OpenRouter, a key of our own',
    'openai/gpt-4o',
    routed(0.000_01, { is_byok: true, cost_details: { upstream_inference_cost: 0.0002 } }),
    210_000,
  ),
  chat(
    'OpenRouter, a key of our own without its charge',
    'openai/gpt-4o',
    routed(0.000_01, { is_byok: true }),
    194 * 2_500 + 2 * 10_000,
  ),
  chat('OpenRouter, a cost that is none', 'openai/gpt-4o', routed('0.95'), 194 * 2_500 + 2 * 10_000),
  chat('OpenRouter, a negative cost', 'unpriced/model', routed(-1), null),
  stream(
    'OpenRouter, comments meanwhile',
    chatPath,
    { model: 'x/y' },
    [
      ': OPENROUTER PROCESSING\n\n',
      { choices: piece },
      ': OPENROUTER PROCESSING\n\n',
      { choices: [], usage: routed(0.000_5) },
      done,
    ],
    500_000,
  ),
  plain(
    'OpenRouter, a response',
    '/v1/responses',
    { model: 'openai/o3', input: 'a' },
    {
      id: 'gen-1',
      object: 'response',
      model: 'openai/o3',
      usage: { input_tokens: 9, output_tokens: 1, total_tokens: 10, cost: 0.002 },
    },
    2_000_000,
  ),
]

const mistral: ProviderCase[] = [
  chat('Mistral', 'mistral-small-latest', counts(100, 20), 100 * 400 + 20 * 2_000),
  chatStreamWithin(
    'Mistral, usage in the last choice',
    'mistral-small-latest',
    counts(100, 20),
    100 * 400 + 20 * 2_000,
    { tokens: [100, 20, 0] },
  ),
  chatStreamWithin('Mistral, a longer pattern', 'mistral-large-2411', counts(100, 20), 100 * 2_000 + 20 * 6_000),
  chat(
    'Mistral, audio in seconds',
    'mistral-small-latest',
    counts(4, 20, { total_tokens: 399, prompt_audio_seconds: 203 }),
    4 * 400 + 20 * 2_000,
  ),
  chat('Mistral without a price', 'codestral-latest', counts(100, 20), null),
  stream(
    'Mistral, a conversation without usage',
    '/v1/conversations',
    { model: 'mistral-small-latest', inputs: 'Hello' },
    [{ type: 'conversation.response.started' }, { type: 'message.output.delta', content: 'Hi' }],
    null,
  ),
  embedding('Mistral, an embedding', 'mistral-embed', 15, 15 * 400),
  plain(
    'Mistral, a completion in the middle',
    '/v1/fim/completions',
    { model: 'mistral-small-latest' },
    { choices: [], usage: counts(10, 5) },
    10 * 400 + 5 * 2_000,
  ),
]

const flash = 100 * 300 + 20 * 2_500
const gemini: ProviderCase[] = [
  ...chatBoth('Gemini', 'gemini-2.5-flash', counts(100, 20), flash),
  chat(
    'Gemini, thoughts only in the total',
    'gemini-2.5-flash',
    counts(100, 20, { total_tokens: 620 }),
    100 * 300 + 520 * 2_500,
    { tokens: [100, 520, 0] },
  ),
  chatChunks(
    'Gemini, a usage in each chunk',
    'gemini-2.5-flash',
    [
      [piece, { usage: counts(100, 5) }],
      [piece, { usage: counts(100, 20) }],
    ],
    flash,
    { tokens: [100, 20, 0] },
  ),
  chat(
    'Gemini, cached',
    'gemini-2.5-flash',
    counts(100, 20, { prompt_tokens_details: { cached_tokens: 60 } }),
    40 * 300 + 60 * 30 + 20 * 2_500,
  ),
  chat('Gemini, its path of models', 'models/gemini-2.5-flash', counts(100, 20), flash, {
    responseModel: 'gemini-2.5-flash',
  }),
  chat('Gemini without a price', 'gemini-3-pro', counts(100, 20), null),
]

const groqTimes = { queue_time: 0.037, prompt_time: 0.0006, completion_time: 0.46, total_time: 0.461 }
const llama = 100 * 590 + 20 * 790
const groq: ProviderCase[] = [
  chat('Groq', 'llama-3.3-70b-versatile', counts(100, 20, groqTimes), llama, {
    with: { x_groq: { id: 'req_1' }, service_tier: 'on_demand' },
  }),
  chatStreamWithin('Groq, a member of its own', 'llama-3.3-70b-versatile', {}, llama, {
    with: { usage: undefined, x_groq: { id: 'req_1', usage: counts(100, 20, groqTimes) } },
    tokens: [100, 20, 0],
  }),
  chatStream('Groq', 'llama-3.3-70b-versatile', counts(100, 20, groqTimes), llama, {
    with: { x_groq: { id: 'req_1' } },
  }),
  chat('Groq at flex', 'llama-3.3-70b-versatile', counts(100, 20, groqTimes), llama, {
    with: { service_tier: 'flex' },
  }),
  plain(
    'Groq, a transcription',
    '/v1/audio/transcriptions',
    { model: 'whisper-large-v3' },
    { text: 'Hi', x_groq: { id: 'req_1' } },
    null,
  ),
]

export const hostedCases: readonly ProviderCase[] = [...azure, ...openRouter, ...mistral, ...gemini, ...groq]
