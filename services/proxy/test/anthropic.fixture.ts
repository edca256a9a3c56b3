import { chatPath, plain, stream, type ProviderCase } from './provider-response.fixture.ts'

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
const summary = { type: 'compaction', input_tokens: 900, output_tokens: 30 }
const advice = { type: 'advisor_message', model: 'claude-opus-4-7', ...anthropicUsage(700, 10) }
const advised = (...iterations: object[]) =>
  anthropicUsage(100, 20, { iterations: [{ type: 'message', input_tokens: 100, output_tokens: 20 }, ...iterations] })
const longText = Array.from({ length: 900 }, () => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'x'.repeat(40) },
}))
export const anthropicCases: readonly ProviderCase[] = [
  plain('Anthropic', messagesPath, say, message(anthropicUsage(100, 20)), sonnet, { tokens: [100, 20, 0] }),
  plain('Anthropic, cached', messagesPath, say, message(anthropicUsage(100, 20, written)), cachedSonnet, {
    tokens: [1_000, 20, 600],
  }),
  plain(
    'Anthropic, two searches',
    messagesPath,
    say,
    message(anthropicUsage(100, 20, { server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 } })),
    sonnet + 2 * 10_000_000,
  ),
  stream(
    'Anthropic, a search',
    messagesPath,
    say,
    [
      messageStart(anthropicUsage(100, 1, { server_tool_use: { web_search_requests: 0 } })),
      ...messageParts,
      ...messageEnd({ output_tokens: 20, server_tool_use: { web_search_requests: 1 } }),
    ],
    sonnet + 10_000_000,
  ),
  plain('Anthropic, nothing of caches', messagesPath, say, message({ input_tokens: 100, output_tokens: 20 }), sonnet),
  stream(
    'Anthropic',
    messagesPath,
    say,
    [messageStart(anthropicUsage(100, 1)), ...messageParts, ...messageEnd({ output_tokens: 20 })],
    sonnet,
    { tokens: [100, 20, 0] },
  ),
  stream(
    'Anthropic, cached',
    messagesPath,
    say,
    [messageStart(anthropicUsage(100, 1, written)), ...messageParts, ...messageEnd({ output_tokens: 20 })],
    cachedSonnet,
    { tokens: [1_000, 20, 600] },
  ),
  stream(
    'Anthropic, all counts at the end, but not by lifetime',
    messagesPath,
    say,
    [
      messageStart(anthropicUsage(90, 1, written)),
      ...messageParts,
      ...messageEnd(anthropicUsage(100, 20, { ...written, cache_creation: undefined })),
    ],
    cachedSonnet,
  ),
  plain(
    'Anthropic, a summary of the conversation',
    messagesPath,
    say,
    message(advised(summary)),
    1_000 * 3_000 + 50 * 15_000,
    { tokens: [1_000, 50, 0] },
  ),
  stream(
    'Anthropic, summaries and advice',
    messagesPath,
    say,
    [
      messageStart(anthropicUsage(100, 1)),
      ...messageParts,
      ...messageEnd(advised(...Array.from({ length: 20 }, () => summary), advice)),
    ],
    18_100 * 3_000 + 620 * 15_000 + 700 * 5_000 + 10 * 25_000,
    { tokens: [18_100, 620, 0] },
  ),
  plain(
    'Anthropic, advice of a model without a price',
    messagesPath,
    say,
    message(advised({ ...advice, model: 'claude-opus-9' })),
    null,
  ),
  plain('Anthropic, impossible advice', messagesPath, say, message(advised({ ...advice, output_tokens: -1 })), null),
  plain(
    'Anthropic, processed in the US',
    messagesPath,
    say,
    message(anthropicUsage(100, 20, { inference_geo: 'us' })),
    sonnet * 1.1,
  ),
  plain('Anthropic, fast', messagesPath, say, message(anthropicUsage(100, 20, { speed: 'fast' })), null, {
    tokens: [100, 20, 0],
  }),
  stream(
    'Anthropic, a long text',
    messagesPath,
    say,
    [messageStart(anthropicUsage(100, 1)), ...longText, ...messageEnd({ output_tokens: 20 })],
    sonnet,
  ),
  stream(
    'Anthropic, broken off',
    messagesPath,
    say,
    [messageStart(anthropicUsage(100, 1)), ...messageParts],
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
    { ...message(anthropicUsage(100, 20)), model: 'claude-opus-9' },
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
