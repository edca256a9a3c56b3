import { type CaseOptions, embedding, plain, type ProviderCase, stream } from './provider-response.fixture.ts'

export const responsesPath = '/v1/responses'
export const responsesUsage = (input: number, output: number, cached = 0) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: input + output,
})
/** Tools may be long, and come between service tier and usage. */
export const response = (model: string, usage: object | null, more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: usage ? 'completed' : 'in_progress',
  background: false,
  instructions: null as string | null,
  model,
  output: [{ type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Hi "usage":{' }] }],
  service_tier: usage ? 'default' : 'auto',
  tools: [],
  usage,
  metadata: {},
  ...more,
})
const responseEvents = (model: string, usage: object, more: object = {}) => [
  { type: 'response.created', response: response(model, null, more) },
  { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Hi' },
  { type: 'response.completed', response: response(model, usage, more) },
]
export const ask = (model: string, more: object = {}) => ({ model, input: 'Hello', ...more })
export const o3 = 90 * 2_000 + 10 * 500 + 20 * 8_000
const read = { method: 'GET', request: null }
const instructions = 'x'.repeat(4_000)
/** A stream that begins after its first events, and so not with the response. */
const resumed = (name: string, more: object, cost: number) => {
  const [, delta, completed] = responseEvents('o3', responsesUsage(100, 20, 10), more)
  const deltas = Array.from({ length: 40 }, () => delta)
  return stream(name, `${responsesPath}/resp_1`, {}, [...deltas, completed], cost, read)
}
export const longTools = [{ type: 'function', name: 'f', description: 'x'.repeat(40_000) }]
const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, nth) => [`key${nth}`, '✓'.repeat(512)]))
/** A client may write anything into the description of a tool's parameters. */
const liar = { type: 'function', parameters: { service_tier: 'flex', usage: { input_tokens: 1, output_tokens: 0 } } }
const [created, , completed] = responseEvents('o3', responsesUsage(100, 20, 10), { tools: [liar] })

/** A response of o3 that took 100, 20 and 10 tokens, in one piece. */
export const o3Plain = (name: string, more: object, cost: number | null = o3, options: CaseOptions = {}) =>
  plain(name, responsesPath, ask('o3'), response('o3', responsesUsage(100, 20, 10), more), cost, options)

/** The same as a stream. */
export const o3Stream = (name: string, more: object, cost: number | null = o3) =>
  stream(name, responsesPath, ask('o3'), responseEvents('o3', responsesUsage(100, 20, 10), more), cost)

/** At a tier with these prices of a prompt token, a cached one and a completion token. */
const atTier = (prompt: number, cached: number, completion: number) => 90 * prompt + 10 * cached + 20 * completion
const [flex, priority] = [atTier(1_000, 250, 4_000), atTier(3_500, 875, 14_000)]
const job = (more: object = {}) => response('o3', responsesUsage(100, 20, 10), { background: true, ...more })
const jobEvents = responseEvents('o3', responsesUsage(100, 20, 10), { background: true })
const askJob = ask('o3', { background: true })
const jobPath = `${responsesPath}/resp_1`

export const responseCases: readonly ProviderCase[] = [
  plain('a response', responsesPath, ask('o3'), response('o3-2025-04-16', responsesUsage(100, 20, 10)), o3, {
    tokens: [100, 20, 10],
  }),
  stream('a response', responsesPath, ask('o3'), responseEvents('o3-2025-04-16', responsesUsage(100, 20, 10)), o3),
  o3Stream('a response at flex', { service_tier: 'flex' }, flex),
  o3Stream('a response with long tools at flex', { service_tier: 'flex', tools: longTools }, flex),
  stream(
    'a response at another tier than expected, with long tools',
    responsesPath,
    ask('o3'),
    [
      { type: 'response.created', response: response('o3', null, { tools: longTools }) },
      ...responseEvents('o3', responsesUsage(100, 20), { service_tier: 'priority', tools: longTools }).slice(1),
    ],
    100 * 3_500 + 20 * 14_000,
  ),
  o3Stream('a response with long metadata', { metadata }),
  stream('a response whose tools name a tier and a usage', responsesPath, ask('o3'), [created, completed], o3),
  stream('a response that is left, whose tools name a usage', responsesPath, ask('o3'), [created], 11 * 2_000 + 8_000, {
    isEstimated: true,
  }),
  plain(
    'a response whose prompt is kept for half an hour and for half a day',
    responsesPath,
    ask('gpt-6.2-sol'),
    response('gpt-6.2-sol', {
      ...responsesUsage(1_000, 20, 100),
      input_tokens_details: {
        cached_tokens: 100,
        cache_write_tokens: 700,
        cache_write_tokens_details: { ttl_30m_tokens: 200, ttl_12h_tokens: 500 },
      },
    }),
    200 * 2_000 + 100 * 100 + 200 * 2_500 + 500 * 5_000 + 20 * 10_000,
  ),
  o3Plain('a response at priority', { service_tier: 'priority' }, priority),
  o3Plain('a long response', { output: [{ text: 'x'.repeat(400_000) }] }),
  plain(
    'a response of a pro model',
    responsesPath,
    ask('o1-pro'),
    response('o1-pro', responsesUsage(100, 20)),
    100 * 150_000 + 20 * 600_000,
  ),
  stream(
    'a failed response',
    responsesPath,
    ask('o3'),
    [
      { type: 'response.created', response: response('o3', null) },
      { type: 'response.failed', response: response('o3', responsesUsage(100, 0), { status: 'failed' }) },
    ],
    100 * 2_000,
  ),
  stream(
    'an incomplete response',
    responsesPath,
    ask('o3'),
    [{ type: 'response.incomplete', response: response('o3', responsesUsage(100, 20), { status: 'incomplete' }) }],
    100 * 2_000 + 20 * 8_000,
  ),
  plain('a response that is read', jobPath, {}, response('o3', responsesUsage(100, 20)), 0, read),
  plain(
    'the input of a response is counted',
    `${responsesPath}/input_tokens`,
    ask('o3'),
    { object: 'response.input_tokens', input_tokens: 11 },
    0,
  ),
  plain('a job begins', responsesPath, askJob, response('o3', null, { background: true, status: 'queued' }), null),
  plain(
    'a long job begins, whose tools name a usage',
    responsesPath,
    askJob,
    response('o3', null, { background: true, instructions: 'x'.repeat(300_000), tools: [liar] }),
    null,
  ),
  plain('a job is under way', jobPath, {}, response('o3', null, { background: true }), 0, read),
  plain('a job has ended', jobPath, {}, job(), o3, read),
  plain('a long job has ended', jobPath, {}, job({ output: [{ text: 'x'.repeat(400_000) }] }), o3, read),
  stream('a job is followed', responsesPath, askJob, jobEvents, o3),
  stream('a job is left', responsesPath, askJob, jobEvents.slice(0, 2), null),
  resumed('a job is resumed', { background: true }, o3),
  resumed('a long job is resumed', { background: true, instructions, output: [{ text: 'x'.repeat(40_000) }] }, o3),
  resumed('a response that is no job is resumed', {}, 0),
  plain('a job is cancelled', `${jobPath}/cancel`, {}, job({ status: 'cancelled' }), o3),
]

const batch = (status: string, usage: object | null, more: object = {}) => ({
  id: 'batch_1',
  object: 'batch',
  endpoint: responsesPath,
  model: 'gpt-4o-2024-08-06',
  status,
  output_file_id: 'file-2',
  request_counts: { total: 2, completed: 2 },
  usage,
  ...more,
})
const batchUsage = responsesUsage(1_000, 200)
const batchCost = 1_000 * 1_250 + 200 * 5_000
const gpt5Batch = batch('completed', responsesUsage(100, 20, 40), { model: 'gpt-5-2025-08-07' })
/** A batch that is read. */
const readBatch = (name: string, body: object, cost: number | null) =>
  plain(name, '/v1/batches/batch_1', {}, body, cost, read)

export const objectCases: readonly ProviderCase[] = [
  plain(
    'a batch begins',
    '/v1/batches',
    { input_file_id: 'file-1', endpoint: responsesPath },
    batch('validating', null),
    null,
  ),
  readBatch('a batch is under way', batch('in_progress', responsesUsage(10, 2)), 0),
  readBatch('a batch has ended', batch('completed', batchUsage), batchCost),
  plain('a batch is being cancelled', '/v1/batches/batch_1/cancel', {}, batch('cancelling', responsesUsage(10, 2)), 0),
  readBatch('a batch was cancelled', batch('cancelled', batchUsage), batchCost),
  readBatch('a batch of gpt-5', gpt5Batch, 60 * 625 + 40 * 62.5 + 20 * 5_000),
  readBatch('a batch without a model', batch('completed', batchUsage, { model: undefined }), null),
  plain('batches', '/v1/batches', {}, { object: 'list', data: [batch('completed', batchUsage)] }, 0, read),
  plain('a file', '/v1/files', { purpose: 'batch' }, { id: 'file-1', object: 'file', bytes: 9 }, 0),
  embedding('an embedding', 'text-embedding-3-small', 8, 8 * 20),
  embedding('many embeddings', 'text-embedding-3-large', 800, 800 * 130, { numbers: 90_000 }),
  plain(
    'a moderation',
    '/v1/moderations',
    { model: 'omni-moderation-latest', input: 'a' },
    { id: 'modr-1', model: 'omni-moderation-latest', results: [{ flagged: false }] },
    0,
  ),
  plain('models', '/v1/models', {}, { object: 'list', data: [{ id: 'gpt-4o' }] }, 0, read),
  plain('a vector store', '/v1/vector_stores', { name: 'a' }, { id: 'vs_1', object: 'vector_store' }, null),
]
