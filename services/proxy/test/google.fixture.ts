import { eventOf, plain, stream, type ProviderCase } from './provider-response.fixture.ts'

const pathOf = (method: string, model = 'gemini-2.5-flash') => `/v1/models/${model}:${method}`
const path = pathOf('generateContent')
const streamPath = pathOf('streamGenerateContent')
const ask = { contents: [{ role: 'user', parts: [{ text: 'Hello, "usageMetadata":{"promptTokenCount":1}' }] }] }

const counts = (prompt: number, candidates: number, more: object = {}) => ({
  promptTokenCount: prompt,
  candidatesTokenCount: candidates,
  totalTokenCount: prompt + candidates,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
  ...more,
})
const content = (parts: object[], usageMetadata: object | undefined, finishReason?: string, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason, index: 0, ...more }],
  usageMetadata,
  modelVersion: 'gemini-2.5-flash',
  responseId: 'r1',
})
const said = [{ text: 'Hi! "usageMetadata":{"promptTokenCount":9000000}' }]
const whole = (usage: object) => content(said, usage, 'STOP')

const flash = 100 * 300 + 20 * 2_500
const all = counts(1_000, 20, {
  cachedContentTokenCount: 600,
  cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 600 }],
  toolUsePromptTokenCount: 50,
  thoughtsTokenCount: 300,
  totalTokenCount: 1_370,
})
const flashOfAll = 450 * 300 + 600 * 30 + 320 * 2_500
/** Arguments are an object, so that the model can write whatever looks like a usage. */
const call = {
  functionCall: {
    name: 'save',
    args: { usage: { prompt_tokens: 1, completion_tokens: 1 }, usageMetadata: { promptTokenCount: 1 } },
  },
}
const proPath = pathOf('generateContent', 'gemini-2.5-pro')
const pro = (prompt: number, cached: number) => ({
  ...whole(
    counts(prompt, 20, { cachedContentTokenCount: cached, thoughtsTokenCount: 30, totalTokenCount: prompt + 50 }),
  ),
  modelVersion: 'gemini-2.5-pro',
})
const heard = counts(1_000, 20, {
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 200 },
    { modality: 'AUDIO', tokenCount: 800 },
  ],
  cachedContentTokenCount: 650,
  cacheTokensDetails: [
    { modality: 'AUDIO', tokenCount: 600 },
    { modality: 'TEXT', tokenCount: 50 },
  ],
  toolUsePromptTokenCount: 40,
  toolUsePromptTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
  totalTokenCount: 1_060,
})
const flashOfHeard = 150 * 300 + 50 * 30 + 240 * 1_000 + 600 * 100 + 20 * 2_500
const pieces = [
  content([{ text: 'H' }], { promptTokenCount: 100, totalTokenCount: 100 }),
  content([{ text: 'i' }], counts(100, 4)),
]
const longText = 'x'.repeat(300_000)
/** Follows the reason in a response that quotes its sources. */
const sources = {
  groundingMetadata: { groundingChunks: Array.from({ length: 900 }, () => ({ web: { uri: 'x'.repeat(40) } })) },
}

/** A stream without `alt=sse`. */
const list = (name: string, chunks: readonly object[], cost: number) =>
  plain(name, streamPath, ask, chunks, cost, { tokens: [100, 20, 0] })

export const googleCases: readonly ProviderCase[] = [
  plain('Google', path, ask, whole(counts(100, 20)), flash, { tokens: [100, 20, 0] }),
  plain('Google, all counts', path, ask, whole(all), flashOfAll, { tokens: [1_050, 320, 600] }),
  plain('Google, audio', path, ask, whole(heard), flashOfHeard, { tokens: [1_040, 20, 650] }),
  stream('Google, audio', streamPath, ask, [...pieces, content([], heard, 'STOP')], flashOfHeard),
  plain(
    'Google, audio that is impossible',
    path,
    ask,
    whole({ ...heard, cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: -1 }] }),
    null,
  ),
  plain('Google, a prompt that is not long', proPath, ask, pro(200_000, 0), 200_000 * 1_250 + 50 * 10_000),
  plain(
    'Google, a long prompt, mostly cached',
    proPath,
    ask,
    pro(200_001, 150_000),
    50_001 * 2_500 + 150_000 * 250 + 50 * 15_000,
  ),
  plain('Google, thoughts among the candidates', path, ask, whole(counts(100, 20, { thoughtsTokenCount: 15 })), flash),
  plain(
    'Google, blocked',
    path,
    ask,
    { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 } },
    100 * 300,
  ),
  plain('Google, an alias', pathOf('generateContent', 'gemini-flash-latest'), ask, whole(counts(100, 20)), flash),
  plain(
    'Google without a price',
    pathOf('generateContent', 'gemini-9'),
    ask,
    { ...whole(counts(100, 20)), modelVersion: 'gemini-9' },
    null,
    { tokens: [100, 20, 0] },
  ),
  plain('Google, impossible counts', path, ask, whole(counts(100, -1)), null),
  plain('Google, a call', path, ask, content([call], counts(100, 20), 'STOP'), flash),
  plain('Google, a long text', path, ask, content([{ text: longText }], counts(100, 20), 'STOP'), flash),
  plain('Google at Vertex AI', `/v1/publishers/google${path.slice(3)}`, ask, whole(counts(100, 20)), flash),
  stream('Google', streamPath, ask, [...pieces, content([{ text: '!' }], counts(100, 20), 'STOP')], flash, {
    tokens: [100, 20, 0],
  }),
  stream('Google, all counts', streamPath, ask, [...pieces, content([], all, 'STOP')], flashOfAll),
  stream('Google, a call', streamPath, ask, [content([call], counts(100, 20), 'STOP')], flash),
  stream('Google, sources', streamPath, ask, [...pieces, content([], counts(100, 20), 'STOP', sources)], flash),
  stream('Google, broken off', streamPath, ask, pieces, 100 * 300 + 4 * 2_500, { isEstimated: true }),
  stream(
    'Google, broken off within its usage',
    streamPath,
    ask,
    [...pieces, eventOf(content([{ text: '!' }], counts(100, 20))).slice(0, -60)],
    100 * 300 + 4 * 2_500,
    { isEstimated: true },
  ),
  list('Google, a list', [...pieces, content([], counts(100, 20), 'STOP')], flash),
  list('Google, a long list', [content([{ text: longText }], counts(100, 4)), whole(counts(100, 20))], flash),
  plain('Google, tokens are counted', pathOf('countTokens'), ask, { totalTokens: 31 }, 0),
  plain('Google, a vector', pathOf('embedContent'), ask, { embedding: { values: [0.1] } }, null),
  plain(
    'Google, vectors with counts',
    pathOf('batchEmbedContents'),
    { requests: [] },
    { embeddings: [{ values: [0.1] }], usageMetadata: { promptTokenCount: 100 } },
    100 * 300,
  ),
  plain('Google, an error', path, ask, { error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }, 0, {
    status: 429,
  }),
]
