import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { readMetadata } from '../request/metadata.ts'
import { estimate, estimateSession } from './estimate.ts'
import { received } from './estimate.fixture.ts'
import { Expectations } from './expectations.ts'

const sent = (estimatedTokens = 0, hasTextElsewhere = false) => ({ estimatedTokens, hasTextElsewhere })

const chat = '/v1/chat/completions'
const bytesOf = (json: object) => JSON.stringify(json).length

test.each([
  [{ max_tokens: 7 }, 7],
  [{ max_completion_tokens: 7 }, 7],
  [{ max_output_tokens: 7 }, 7],
  [{ max_tokens: 7, n: 3 }, 21],
  [{ max_tokens: 'many' }, 4_096],
  [{ max_tokens: '7' }, 7],
  [{ max_completion_tokens: 7, max_tokens: 9 }, 9],
  [{ max_tokens: 7, n: 1, best_of: 4 }, 28],
  [{ max_tokens: 123_456_789_012 }, 9_999_999_999],
  [{ max_tokens: 1e99 }, 9_999_999_999],
  [{ n: 3 }, 3 * 4_096],
  [{}, 4_096],
])(
  '%j: the prompt has at most a token a byte, and the completion what the request allows',
  async (terms, completion) => {
    const json = { model: 'm', ...terms }
    const { tokens, costNanoUsd, isPriced } = estimate(await received(chat, json), new Expectations())
    expect([tokens, costNanoUsd, isPriced]).toEqual([
      bytesOf(json) + completion,
      bytesOf(json) * 1_000 + completion * 10_000,
      true,
    ])
  },
)

const field = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

test('a form that asks for several images takes as many times what one is expected to take', async () => {
  const bytes = Buffer.from(`${field('model', 'm')}${field('n', '10')}--x--\r\n`)
  const given = await received('/v1/images/edits')
  given.request.headers['content-type'] = 'multipart/form-data; boundary=x'
  const form = { ...given, body: { bytes, length: bytes.length }, metadata: { ...given.metadata, model: 'm' } }
  const { tokens } = estimate(form, new Expectations())
  expect(tokens - bytes.length).toBe(10 * 4_096)
})

test('a file of audio takes no more than its model can read, however large it is', async () => {
  const given = await received('/v1/audio/transcriptions')
  const body = { bytes: Buffer.alloc(5_000_000), length: 5_000_000 }
  const form = { ...given, body, metadata: { ...given.metadata, model: 'gpt-4o-transcribe' } }
  const { tokens, costNanoUsd } = estimate(form, new Expectations())
  expect([tokens, costNanoUsd]).toEqual([16_000 + 4_096, 16_000 * 2_500 + 4_096 * 10_000])
  const inChunks = { ...form, body: { stream: Readable.from([]), length: undefined, readBytes: 10 * mib } }
  expect(estimate(inChunks, new Expectations())).toMatchObject({ tokens, costNanoUsd })
})

test('an upload in chunks takes at least what has been read of it', async () => {
  const body = { stream: Readable.from([]), length: undefined, readBytes: 10 * mib }
  const { tokens } = estimate({ ...(await received('/v1/images/edits')), body }, new Expectations())
  expect(tokens).toBe(10 * mib + 4_096)
})

test('a file of audio that is billed by the minute is reserved as if it were compressed as far as speech can be', async () => {
  const given = await received('/v1/audio/transcriptions')
  const body = { bytes: Buffer.alloc(1_200_000), length: 1_200_000 }
  const form = { ...given, body, metadata: { ...given.metadata, model: 'whisper-1' } }
  expect(estimate(form, new Expectations())).toMatchObject({ isPriced: true, costNanoUsd: 10 * 6_000_000 })
  const endless = { ...form, body: { stream: Readable.from([]), length: undefined, readBytes: 0 } }
  expect(estimate(endless, new Expectations()).isPriced).toBe(false)
})

test.each([
  ['a prompt', {}, 1_000],
  ['one that is written to a cache', { cache_control: { type: 'ephemeral' } }, 1_250],
  ['one that is written there for an hour', { cache_control: { type: 'ephemeral', ttl: '1h' } }, 2_000],
  ['one that is written there for half a day', { prompt_cache_options: { ttl: '12h' } }, 2_500],
])('a token of %s is reserved at its price', async (_name, content, nanoUsd) => {
  const json = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [content] }] }
  const { costNanoUsd } = estimate(await received('/v1/messages', json), new Expectations())
  expect(costNanoUsd).toBe(bytesOf(json) * nanoUsd + 10_000)
  const streamed = { ...json, stream: true }
  const { initialNanoUsd } = estimate(await received('/v1/messages', streamed), new Expectations())
  expect(initialNanoUsd).toBe(Math.ceil(bytesOf(streamed) / 4) * nanoUsd)
})

test('speech takes about as many tokens as its text is long', async () => {
  const json = { model: 'gpt-4o-mini-tts', input: 'Hello there' }
  const { tokens } = estimate(await received('/v1/audio/speech', json), new Expectations())
  expect(tokens - bytesOf(json)).toBe(Math.ceil((bytesOf(json) * 20 * 1.25) / 15))
})

test.each([
  '"max_tokens":1,"max_tokens":9000',
  '"n":1,"n":9',
  '"N":9',
  '"Fallbacks":["gpt-5"]',
  '"Tools":[]',
  '"stream":false,"stream":true',
])('%s can not be estimated', async (terms) => {
  const given = await received(chat, `{"model":"m",${terms}}`)
  expect(estimate(given, new Expectations())).toMatchObject({ isPriced: false })
})

test.each<[string, object, number | undefined]>([
  ['a function', { tools: [{ type: 'function', name: 'web_search' }] }, 0],
  ['searches', { tools: [{ type: 'web_search_20250305' }] }, 100_000_000],
  ['few searches', { tools: [{ type: 'web_search' }], max_tool_calls: 2 }, 20_000_000],
  ['an impossible number of searches', { tools: [{ type: 'web_search' }], max_tool_calls: -1 }, 10 * 10_000_000],
  ['an image', { tools: [{ type: 'image_generation' }] }, 6_240 * 30_000],
  ['a small image', { tools: [{ type: 'image_generation', model: 'gpt-image-1-mini' }] }, 6_240 * 8_000],
  ['an image of unknown price', { tools: [{ type: 'image_generation', model: 'gpt-image-9' }] }, undefined],
])("the provider's own tools are reserved: %s", async (_name, terms, cost) => {
  const json = { model: 'm', max_output_tokens: 1, stream: true, ...terms }
  const { costNanoUsd, initialNanoUsd, isPriced } = estimate(await received('/v1/responses', json), new Expectations())
  if (cost === undefined) return expect(isPriced).toBe(false)
  expect(costNanoUsd).toBe(bytesOf(json) * 1_000 + 10_000 + cost)
  expect(initialNanoUsd).toBe(Math.ceil(bytesOf(json) / 4) * 1_000 + cost)
})

test.each<[string, object, number | undefined]>([
  ['a cheaper one', { models: ['text-embedding-3-small'] }, 10_000],
  ['dearer ones', { models: ['gpt-4o', 'm'], fallbacks: [{ model: 'gpt-5.5' }] }, 30_000],
  ["one of Vercel's gateway", { providerOptions: { gateway: { models: ['gpt-5.5'] } } }, 30_000],
  ['one without a price', { fallbacks: ['unknown'] }, undefined],
  ['one with a price, in place of one without', { model: 'unknown', fallbacks: ['m'] }, undefined],
  ['an unreadable one', { context_window_fallback_dict: { m: 'gpt-4o' } }, undefined],
])('the dearest of the models that a request names is reserved: %s', async (_name, fallbacks, perToken) => {
  const json = { model: 'm', max_tokens: 1_000_000, ...fallbacks }
  const { costNanoUsd, isPriced } = estimate(await received(chat, json), new Expectations())
  expect([isPriced, Math.floor(costNanoUsd / 1_000_000)]).toEqual([perToken !== undefined, perToken ?? 0])
})

test.each([
  ['a chat', '/v1/deployments/gpt-4o/chat/completions', false],
  ['a file of audio', '/v1/deployments/gpt-4o-transcribe/audio/transcriptions', true],
])('a body that can not be read has no known cost, unless it is a file: %s', async (_name, endpoint, isPriced) => {
  const given = await received(endpoint)
  for (const [bytes, encoding] of [
    [gzipSync('{"max_tokens":90000}'), 'gzip'],
    [Buffer.from('{"max_tokens":90000}', 'utf16le'), undefined],
  ] as const) {
    const body = { bytes, length: bytes.length }
    const headers = { 'content-type': 'application/json', ...(encoding && { 'content-encoding': encoding }) }
    const metadata = await readMetadata(body, headers, given.target)
    expect(estimate({ ...given, body, metadata }, new Expectations()).isPriced).toBe(isPriced)
  }
})

test.each([undefined, 'text/plain'])('a body of type %s may be JSON too', async (type) => {
  const bytes = Buffer.from('{"model":"m","max_tokens":90000}')
  const body = { bytes, length: bytes.length }
  const given = await received(chat)
  const metadata = await readMetadata(body, { 'content-type': type }, given.target)
  const { tokens, isPriced } = estimate({ ...given, body, metadata }, new Expectations())
  expect([tokens, isPriced]).toEqual([bytes.length + 90_000, false])
})

test('without a number, what the last requests took is expected', async () => {
  const expectations = new Expectations()
  const json = { model: 'm', stream: true }
  const event = { accountId: 'a', model: 'm', costSource: 'exact', requestBytes: 100 } as const
  expectations.learn(requestEvent({ ...event, promptTokens: 40, completionTokens: 400 }), sent(200))
  expectations.learn(requestEvent({ ...event, promptTokens: 10, completionTokens: 10 }), sent(10))
  const cutOff = { promptTokens: 90, completionTokens: 900, costSource: 'estimated' } as const
  expectations.learn(requestEvent({ ...event, ...cutOff }), sent())
  const { tokens, initialNanoUsd, tokenNanoUsd, isStream } = estimate(await received(chat, json), expectations)
  expect(tokens).toBe(Math.ceil(bytesOf(json) * 0.4 * 0.9 * 1.25) + 450)
  // Of 400 tokens where 200 were estimated, 100 are taken as reasoning.
  expect(initialNanoUsd).toBe(Math.ceil(bytesOf(json) * 0.4 * 0.9) * 1_000 + 90 * 10_000)
  expect([tokenNanoUsd, isStream]).toEqual([13_500, true])
})

test('a conversation that the provider keeps is added to the prompts of other requests, not multiplied', async () => {
  const expectations = new Expectations()
  const event = { accountId: 'a', model: 'm', costSource: 'exact', requestBytes: 100 } as const
  expectations.learn(requestEvent({ ...event, promptTokens: 30, completionTokens: 10 }), sent())
  expectations.learn(requestEvent({ ...event, promptTokens: 50_025, completionTokens: 10 }), sent())
  const json = { model: 'm', max_tokens: 1, messages: [{ content: 'x'.repeat(10_000) }] }
  const { tokens } = estimate(await received(chat, json), expectations)
  expect(tokens).toBe(Math.ceil(bytesOf(json) * 0.3 * 1.25 + 50_000 * 1.25) + 1)
})

const ofResponses = '/v1/responses'
test.each<[object, boolean]>([
  [{ previous_response_id: 'resp_1' }, true],
  [{ conversation: { id: 'conv_1' } }, true],
  [{ prompt: { id: 'pmpt_1' } }, true],
  [{ input: [{ content: [{ type: 'input_file', file_id: 'file-1' }] }] }, true],
  [{ previous_response_id: null, conversation: null, prompt: 'Hello', input: '"file_id"' }, false],
])('%j: a prompt whose length is unknown is reserved as a long one, until one has ended', async (terms, isUnknown) => {
  const expectations = new Expectations()
  const json = { model: 'm', max_output_tokens: 1, stream: true, ...terms }
  const given = await received(ofResponses, json)
  const first = estimate(given, expectations)
  expect(first.costNanoUsd).toBe((bytesOf(json) + (isUnknown ? 250_000 : 0)) * 1_000 + 10_000)
  expect([first.isStream, first.tokens]).toEqual([!isUnknown, bytesOf(json) + 1])
  const event = { accountId: 'a', model: 'm', costSource: 'exact', requestBytes: 100, completionTokens: 1 } as const
  expectations.learn(requestEvent({ ...event, promptTokens: 100 }), sent())
  expect(estimate(given, expectations).isStream).toBe(!isUnknown)
  expectations.learn(requestEvent({ ...event, promptTokens: 100 }), sent(0, true))
  expect(estimate(given, expectations).isStream).toBe(true)
})

test('deep research reads far more than the request', async () => {
  const json = { model: 'o3-deep-research', max_output_tokens: 1, background: true }
  const { costNanoUsd } = estimate(await received(ofResponses, json), new Expectations())
  expect(costNanoUsd).toBe((bytesOf(json) + 250_000) * 10_000 + 40_000)
})

test.each([
  ['GET', '/v1/responses/resp_1', 0],
  ['POST', '/v1/responses/resp_1/cancel', 2],
  ['POST', chat, 0],
])('%s %s with %i bytes says nothing of prompts in requests', async (method, endpoint, requestBytes) => {
  const expectations = new Expectations()
  const usage = { promptTokens: 100_000, completionTokens: 500_000 }
  const event = { accountId: 'a', model: 'm', costSource: 'exact', method, endpoint, requestBytes } as const
  expectations.learn(requestEvent({ ...event, ...usage }), sent())
  const given = await received(chat, { model: 'm' })
  expect(estimate(given, expectations)).toEqual(estimate(given, new Expectations()))
})

test('a background response is reserved as a whole, because it goes on when its stream is ended', async () => {
  const json = { model: 'm', stream: true, max_output_tokens: 1_000, background: true }
  const given = await received('/v1/responses', json)
  const costNanoUsd = bytesOf(json) * 1_000 + 1_000 * 10_000
  expect(estimate(given, new Expectations())).toMatchObject({ costNanoUsd, isStream: false })
  const foreground = await received('/v1/responses', { ...json, background: false })
  expect(estimate(foreground, new Expectations())).toMatchObject({ isStream: true })
})

test('a session is expected to take a response as large as the last sessions had, and teaches nothing of requests', async () => {
  const expectations = new Expectations()
  const given = await received('/v1/responses', { model: 'm' })
  const unknown = estimate(given, expectations)
  const response = { endedAfterMs: 1, model: 'm', status: 'completed', promptTokens: 9_000 }
  const responses = [300, 400].map((completionTokens) => ({ ...response, completionTokens }))
  const sums = { promptTokens: 18_000, completionTokens: 700, requestBytes: 100 }
  expectations.learn(requestEvent({ accountId: 'a', model: 'm', costSource: 'exact', ...sums, responses }), sent())
  expect(estimateSession(given, expectations).tokens).toBe(4_096 + 500)
  expect(estimate(given, expectations)).toEqual(unknown)
})

test('what is remembered of one account is bounded, and does not displace what is known of another', () => {
  const expectations = new Expectations()
  const learn = (accountId: string, model: string) =>
    expectations.learn(
      requestEvent({ accountId, model, costSource: 'exact', promptTokens: 1, completionTokens: 1 }),
      sent(),
    )
  learn('a', 'm')
  for (let nth = 0; nth < 30_000; nth += 1) learn('b', `m${nth}`)
  const known = Array.from({ length: 30_000 }, (_, nth) => expectations.of('b', `m${nth}`)).filter(Boolean)
  expect([expectations.of('a', 'm') !== undefined, known.length <= 200]).toEqual([true, true])
})

test.each([
  ['a list', '/v1/models', undefined, 'GET'],
  ['an upload', '/v1/files', {}, 'POST'],
  ['a conversation', '/v1/conversations', { items: [] }, 'POST'],
  ['a moderation', '/v1/moderations', { model: 'm' }, 'POST'],
  ['a cancellation', '/v1/responses/r/cancel', undefined, 'POST'],
  ['an update of a completion', '/v1/chat/completions/chatcmpl-1', {}, 'POST'],
])('%s costs nothing', async (_name, path, json, method) => {
  const expected = estimate(await received(path, json, method), new Expectations())
  expect(expected).toMatchObject({ isPriced: true, costNanoUsd: 0, tokens: 0 })
})

test.each([
  ['no model', chat, {}],
  ['a model without a price', chat, { model: 'unknown' }],
  ['a batch', '/v1/batches', { model: 'm' }],
  ['a tuning job', '/v1/fine_tuning/jobs', { model: 'm' }],
  ['an agent of Google', '/v1/interactions', { agent: 'deep-research' }],
  ['an interaction in another spelling', '/v1/Interactions', { model: 'm' }],
  ['a job in another spelling', '/v1/Fine%5Ftuning/jobs', { model: 'm' }],
  ['a batch at Google', '/v1/models/m:batchGenerateContent', {}],
  ['a model that the path hides', '/v1/models/org/model/predictions', { model: 'm' }],
  ["a turn of Mistral's conversations", '/v1/conversations/conv_1', { inputs: 'Hello' }],
  ["Anthropic's fast mode", '/v1/messages', { model: 'm', speed: 'fast' }],
  ['an unknown tier', chat, { model: 'gpt-4o', service_tier: 'unheard-of' }],
])('the cost of %s can not be estimated', async (_name, path, json) => {
  expect(estimate(await received(path, json), new Expectations()).isPriced).toBe(false)
})
