import { plain, stream, type ProviderCase } from './provider-response.fixture.ts'

const path = '/v1/interactions'
const model = 'gemini-2.5-flash'
const ask = { model, input: 'Hello, "usage":{"total_input_tokens":1}' }

const counts = (input: number, output: number, more: object = {}) => ({
  total_input_tokens: input,
  total_output_tokens: output,
  total_tokens: input + output,
  ...more,
})
const interaction = (usage: object | undefined, more: object = {}) => ({
  id: 'v1_ChdXaGF0',
  object: 'interaction',
  model,
  status: 'completed',
  steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Hi! "usage":{"total_input_tokens":9000000}' }] }],
  usage,
  ...more,
})
const all = counts(1_000, 20, {
  input_tokens_by_modality: [
    { modality: 'text', tokens: 600 },
    { modality: 'audio', tokens: 400 },
  ],
  total_cached_tokens: 600,
  total_tool_use_tokens: 50,
  total_thought_tokens: 300,
  total_tokens: 1_370,
})
/** Audio costs 700 nano-USD more for each token. */
const audioCost = 400 * 700
const costOf = (input: number, cached: number, output: number) => (input - cached) * 300 + cached * 30 + output * 2_500
const searched = { grounding_tool_count: [{ type: 'google_search', count: 2 }] }

const event = (type: string, more: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ ...more, event_type: type })}\n\n`
const begun = { id: 'v1_ChdXaGF0', object: 'interaction', model, status: 'in_progress' }
/** The arguments of a call, in which the model can write whatever looks like a usage. */
const call = { type: 'function_call', id: '1', name: 'save', arguments: { usage: counts(1, 1) } }
const beginning = [
  event('interaction.created', { interaction: begun }),
  event('step.start', { index: 0, step: call }),
  event('step.delta', { index: 1, delta: { type: 'text', text: 'Hi' } }),
]
const ended = (type: string, usage: object) => [
  event(type, { interaction: interaction(usage, { steps: undefined }) }),
  'event: done\ndata: [DONE]\n\n',
]

export const interactionCases: readonly ProviderCase[] = [
  plain('an interaction', path, ask, interaction(counts(100, 20)), costOf(100, 0, 20), { tokens: [100, 20, 0] }),
  plain('an interaction, all counts', path, ask, interaction(all), costOf(1_050, 600, 320) + audioCost, {
    tokens: [1_050, 320, 600],
  }),
  plain('an interaction with searches', path, ask, interaction(counts(100, 20, searched)), null, {
    tokens: [100, 20, 0],
  }),
  plain('an interaction, impossible counts', path, ask, interaction(counts(100, -1)), null),
  plain(
    'an agent',
    path,
    { agent: 'deep-research', input: 'Why?' },
    interaction(counts(9, 1), { model: undefined }),
    null,
  ),
  plain('an interaction in the background', path, { ...ask, background: true }, { ...begun, model }, null),
  plain('an interaction that is read', `${path}/v1_ChdXaGF0`, {}, interaction(counts(100, 20)), costOf(100, 0, 20), {
    method: 'GET',
    request: null,
  }),
  plain('an interaction in progress', `${path}/v1_ChdXaGF0`, {}, { ...interaction(counts(100, 2)), ...begun }, 0, {
    method: 'GET',
    request: null,
  }),
  stream('an interaction', path, ask, [...beginning, ...ended('interaction.completed', counts(100, 20))], 80_000),
  stream(
    'an interaction, former names',
    path,
    ask,
    [...beginning, ...ended('interaction.complete', all)],
    953_000 + audioCost,
  ),
  stream('an interaction that broke off', path, ask, beginning, 14_700, { isEstimated: true }),
]
