import { type CaseOptions, chatPath, plain, type ProviderCase, stream } from './provider-response.fixture.ts'

const messagesPath = '/v1/messages'
const say = { model: 'claude-sonnet-4-5', max_tokens: 99, messages: [] }
const message = (usage: object) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage,
})
const anthropicUsage = (input: number, output: number, more: object = {}) => ({
  input_tokens: input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
  service_tier: 'standard',
  ...more,
})
const messageStart = (usage: object) => ({ type: 'message_start', message: message(usage) })
const messageParts = [
  { type: 'content_block_start', index: 0 },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
]
const messageEnd = (usage: object) => [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
  { type: 'message_stop' },
]
const sonnet = 100 * 3_000 + 20 * 15_000
const written = {
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 600,
  cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 },
}
const cachedSonnet = 100 * 3_000 + 200 * 3_750 + 100 * 6_000 + 600 * 300 + 20 * 15_000
/** Cached and written tokens make the prompt long. */
const longWritten = {
  cache_creation_input_tokens: 90_000,
  cache_read_input_tokens: 109_901,
  cache_creation: { ephemeral_5m_input_tokens: 50_000, ephemeral_1h_input_tokens: 40_000 },
}
const longSonnet = 100 * 6_000 + 50_000 * 7_500 + 40_000 * 12_000 + 109_901 * 600 + 20 * 22_500
const summary = { type: 'compaction', input_tokens: 900, output_tokens: 30 }
const advice = { type: 'advisor_message', model: 'claude-opus-4-7', ...anthropicUsage(700, 10) }
const advised = (...iterations: object[]) =>
  anthropicUsage(100, 20, { iterations: [{ type: 'message', input_tokens: 100, output_tokens: 20 }, ...iterations] })
const longText = Array.from({ length: 900 }, () => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'x'.repeat(40) },
}))

/** A message in one piece. */
const said = (name: string, usage: object, cost: number | null, more: CaseOptions = {}) =>
  plain(name, messagesPath, say, message(usage), cost, more)

/** A message as a stream, whose first and last events have usages. */
const streamed = (name: string, first: object, last: object, cost: number | null, more: CaseOptions = {}) =>
  stream(name, messagesPath, say, [messageStart(first), ...messageParts, ...messageEnd(last)], cost, more)

const [usage, firstUsage, lastUsage] = [anthropicUsage(100, 20), anthropicUsage(100, 1), { output_tokens: 20 }]

export const anthropicCases: readonly ProviderCase[] = [
  said('Anthropic', usage, sonnet, { tokens: [100, 20, 0] }),
  said('Anthropic, cached', anthropicUsage(100, 20, { ...written, iterations: [] }), cachedSonnet, {
    tokens: [1_000, 20, 600],
  }),
  said('Anthropic, a long prompt, mostly cached', anthropicUsage(100, 20, longWritten), longSonnet, {
    tokens: [200_001, 20, 109_901],
  }),
  said(
    'Anthropic, a prompt that is not long',
    anthropicUsage(99, 20, longWritten),
    99 * 3_000 + 50_000 * 3_750 + 40_000 * 6_000 + 109_901 * 300 + 20 * 15_000,
  ),
  streamed(
    'Anthropic, a long prompt, mostly cached',
    anthropicUsage(100, 1, longWritten),
    { output_tokens: 20 },
    longSonnet,
  ),
  said(
    'Anthropic, two searches',
    anthropicUsage(100, 20, { server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 } }),
    sonnet + 2 * 10_000_000,
  ),
  said(
    'Anthropic, two searches, nothing of caches',
    {
      input_tokens: 100,
      cache_read_input_tokens: null,
      output_tokens: 20,
      server_tool_use: { web_search_requests: 2 },
    },
    sonnet + 2 * 10_000_000,
  ),
  streamed(
    'Anthropic, a search',
    anthropicUsage(100, 1, { server_tool_use: { web_search_requests: 0 } }),
    { output_tokens: 20, server_tool_use: { web_search_requests: 1 } },
    sonnet + 10_000_000,
  ),
  said('Anthropic, nothing of caches', { input_tokens: 100, output_tokens: 20 }, sonnet),
  streamed('Anthropic', firstUsage, lastUsage, sonnet, { tokens: [100, 20, 0] }),
  streamed('Anthropic, cached', anthropicUsage(100, 1, written), lastUsage, cachedSonnet, { tokens: [1_000, 20, 600] }),
  streamed(
    'Anthropic, all counts at the end, but not by lifetime',
    anthropicUsage(90, 1, written),
    anthropicUsage(100, 20, { ...written, cache_creation: undefined }),
    cachedSonnet,
  ),
  streamed(
    'Anthropic, no counts but of the output at the end',
    anthropicUsage(100, 1, written),
    { input_tokens: null, cache_creation_input_tokens: null, cache_read_input_tokens: null, output_tokens: 20 },
    cachedSonnet,
  ),
  said(
    'Anthropic, a summary of a prompt that is not long',
    anthropicUsage(23_000, 1_000, {
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
        { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
      ],
    }),
    203_000 * 3_000 + 4_500 * 15_000,
    { tokens: [203_000, 4_500, 0] },
  ),
  said(
    'Anthropic, a summary of a long prompt',
    anthropicUsage(23_000, 1_000, {
      iterations: [
        { type: 'compaction', input_tokens: 100, cache_read_input_tokens: 200_000, output_tokens: 3_500 },
        { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
      ],
    }),
    23_000 * 3_000 + 1_000 * 15_000 + 100 * 6_000 + 200_000 * 600 + 3_500 * 22_500,
    { tokens: [223_100, 4_500, 200_000] },
  ),
  said(
    'Anthropic, calls whose prompts are long only together',
    anthropicUsage(300_000, 40, {
      iterations: [150_000, 150_000].map((input) => ({ type: 'message', input_tokens: input, output_tokens: 20 })),
    }),
    300_000 * 3_000 + 40 * 15_000,
    { tokens: [300_000, 40, 0] },
  ),
  said(
    'Anthropic, a summary that is cached',
    advised({ ...summary, cache_creation_input_tokens: 400 }),
    1_000 * 3_000 + 50 * 15_000 + 400 * 3_750,
    { tokens: [1_400, 50, 0] },
  ),
  said('Anthropic, a summary of the conversation', advised(summary), 1_000 * 3_000 + 50 * 15_000, {
    tokens: [1_000, 50, 0],
  }),
  streamed(
    'Anthropic, summaries and advice',
    firstUsage,
    advised(...Array.from({ length: 20 }, () => summary), advice),
    18_100 * 3_000 + 620 * 15_000 + 700 * 5_000 + 10 * 25_000,
    { tokens: [18_100, 620, 0] },
  ),
  said('Anthropic, advice of a model without a price', advised({ ...advice, model: 'claude-opus-9' }), null),
  said('Anthropic, impossible advice', advised({ ...advice, output_tokens: -1 }), null),
  said('Anthropic, processed in the US', anthropicUsage(100, 20, { inference_geo: 'us' }), sonnet * 1.1),
  said(
    "Anthropic, its priority tier at the operator's price",
    anthropicUsage(100, 20, { service_tier: 'priority' }),
    sonnet,
  ),
  said('Anthropic, fast', anthropicUsage(100, 20, { speed: 'fast' }), null, { tokens: [100, 20, 0] }),
  stream(
    'Anthropic, a long text',
    messagesPath,
    say,
    [messageStart(firstUsage), ...longText, ...messageEnd(lastUsage)],
    sonnet,
  ),
  stream(
    'Anthropic, broken off',
    messagesPath,
    say,
    [messageStart(firstUsage), ...messageParts],
    100 * 3_000 + 4 * 15_000,
    { isEstimated: true },
  ),
  plain('Anthropic, tokens are counted', `${messagesPath}/count_tokens`, say, { input_tokens: 2_095 }, 0),
  plain(
    'Anthropic, an error',
    messagesPath,
    say,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    0,
    { status: 529 },
  ),
  plain(
    'Anthropic without a price',
    messagesPath,
    { ...say, model: 'claude-opus-9' },
    { ...message(advised(advice)), model: 'claude-opus-9' },
    null,
    { tokens: [100, 20, 0] },
  ),
  plain(
    'Anthropic by its completions',
    chatPath,
    say,
    {
      object: 'chat.completion',
      model: 'claude-sonnet-4-5',
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    },
    sonnet,
  ),
]
