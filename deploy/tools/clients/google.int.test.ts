import type { Socket } from 'node:net'
import { createGoogle } from '@ai-sdk/google'
import { ApiError, GoogleGenAI } from '@google/genai'
import * as ai from 'ai'
import { expect, test } from 'vitest'
import { jsonResponse, okHead } from '../../../services/proxy/test/raw-upstream.fixture.ts'
import { useTestBench } from '../../../services/proxy/test/gateway.fixture.ts'
import { product } from '../../../schemas/product.ts'
import { errorOf, textOf } from './outcomes.fixture.ts'

/** Google's SDK and that of Vercel, which speak Google's own protocol. */
const bench = await useTestBench()
const gateway = await bench.startGateway()
const content = 'What is the weather in Oslo?'
const question = { model: 'gemini-2.5-flash', contents: content }
const answer = (text: string, candidatesTokenCount: number, finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason, index: 0 }],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount, totalTokenCount: 7 + candidatesTokenCount },
  modelVersion: question.model,
})
const pieces = [answer('Sun', 1), answer('ny', 2, 'STOP')]
const events = pieces.map((piece) => `data: ${JSON.stringify(piece)}\r\n\r\n`).join('')
const plain = jsonResponse(JSON.stringify(answer('Sunny', 2, 'STOP')), 'connection: close')
const streamed = okHead('content-type: text/event-stream', 'connection: close') + events
const interaction = {
  id: 'v1_ChdXaGF0',
  object: 'interaction',
  model: question.model,
  status: 'completed',
  steps: [{ type: 'model_output', content: [{ type: 'text', text: 'Sunny' }] }],
  usage: { total_input_tokens: 7, total_output_tokens: 2, total_tokens: 9 },
}
const streamedInteraction = { ...interaction, id: 'v1_c3RyZWFt', steps: undefined }
const interactionEvents = [
  {
    event_type: 'interaction.created',
    interaction: { ...streamedInteraction, status: 'in_progress', usage: undefined },
  },
  { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Sunny' } },
  { event_type: 'interaction.completed', interaction: streamedInteraction },
].map((event) => `event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`)
const price = { pattern: 'gemini-*', input: 0.3, cachedInput: null, output: 2.5, perRequest: null }
const tokens = { promptTokens: 7, completionTokens: 2, costNanoUsd: 7 * 300 + 2 * 2_500, costSource: 'exact' }
const logged = { ...tokens, model: question.model, outcome: 'completed' }

const interactionAs = (head: string) =>
  head.includes('accept: text/event-stream')
    ? okHead('content-type: text/event-stream', 'connection: close') + interactionEvents.join('')
    : jsonResponse(JSON.stringify(interaction), 'connection: close')

/** An account whose provider is Google-shaped. */
async function connectGoogle(token: object = {}, sendStream = (socket: Socket) => void socket.end(streamed)) {
  const { account: owner, upstream } = await bench.createAccountWithUpstream(
    (socket, _nth, head) => {
      if (head.includes(':stream')) sendStream(socket)
      else socket.end(head.includes('/interactions') ? interactionAs(head) : plain)
    },
    { config: { credentialHeader: 'x-goog-api-key' }, token },
  )
  await owner.addPrice(price)
  const secret = owner.token.secret
  const httpOptions = { baseUrl: gateway.origin + product.proxyPath }
  return { owner, upstream, secret, httpOptions, google: new GoogleGenAI({ apiKey: secret, httpOptions }) }
}

// Its current version uses `v1`, the earlier ones and those for other languages `v1beta`.
test.each(['v1', 'v1beta'])('%s: plain and streamed, with tokens and cost in the log', async (apiVersion) => {
  const { owner, upstream, secret, httpOptions } = await connectGoogle()
  const google = new GoogleGenAI({ apiKey: secret, apiVersion, httpOptions })
  expect((await google.models.generateContent(question)).text).toBe('Sunny')
  expect(await textOf(await google.models.generateContentStream(question), (chunk) => chunk.text)).toBe('Sunny')
  const path = `/${apiVersion}/models/gemini-2.5-flash`
  const [first, second] = await bench.events.ofAccount(owner.accountId, 2)
  expect(first).toMatchObject({ ...logged, endpoint: `${path}:generateContent`, streamed: false })
  expect(second).toMatchObject({ ...logged, endpoint: `${path}:streamGenerateContent`, streamed: true })
  const sent = upstream.heads.at(-1)!
  expect(sent).toContain(`POST ${path}:streamGenerateContent?alt=sse `)
  expect(sent).toContain('x-goog-api-key: sk-primary')
  expect(sent).not.toContain(secret)
})

test('interactions, plain, streamed and read again: each counts once', async () => {
  const { owner, google } = await connectGoogle({ dailyBudgetNanoUsd: 100_000_000 })
  const ask = { model: question.model, input: content }
  expect((await google.interactions.create(ask)).steps).toEqual(interaction.steps)
  const deltas = textOf(await google.interactions.create({ ...ask, stream: true }), (event) =>
    event.event_type === 'step.delta' && event.delta.type === 'text' ? event.delta.text : '',
  )
  expect(await deltas).toBe('Sunny')
  expect((await google.interactions.get(interaction.id)).status).toBe('completed')
  const [first, second, read] = await bench.events.ofAccount(owner.accountId, 3)
  expect(first).toMatchObject({ ...logged, endpoint: '/v1/interactions', streamed: false })
  expect(second).toMatchObject({ ...logged, endpoint: '/v1/interactions', streamed: true })
  expect(read).toMatchObject({ method: 'GET', costNanoUsd: 0, promptTokens: null })
})

test('the Vercel AI SDK, plain and streamed', async () => {
  const { owner, secret } = await connectGoogle()
  const google = createGoogle({ baseURL: `${gateway.origin}${product.proxyPath}/v1beta`, apiKey: secret })
  expect((await ai.generateText({ model: google(question.model), prompt: content })).text).toBe('Sunny')
  const { textStream } = ai.streamText({ model: google(question.model), prompt: content })
  expect(await textOf(textStream, (part) => part)).toBe('Sunny')
  for (const event of await bench.events.ofAccount(owner.accountId, 2)) expect(event).toMatchObject(logged)
})

test('a token that is limited to models, and a wrong one, get an error of the SDK with the reason', async () => {
  const { google, secret, httpOptions } = await connectGoogle({ models: ['gemini-2.5-flash'] })
  expect((await google.models.generateContent(question)).text).toBe('Sunny')
  const rejected = await errorOf(google.models.generateContent({ ...question, model: 'gemini-2.5-pro' }))
  expect(rejected).toBeInstanceOf(ApiError)
  expect(rejected).toMatchObject({
    status: 403,
    message: expect.stringMatching(/PERMISSION_DENIED.*MODEL_NOT_ALLOWED/),
  })
  const wrong = new GoogleGenAI({ apiKey: `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`, httpOptions })
  expect(await errorOf(wrong.models.generateContent(question))).toMatchObject({ status: 401 })
})

test('a stream ends with an error once the budget of its token is used up', async () => {
  const piece = `data: ${JSON.stringify(pieces[0])}\n\n`
  const endless = okHead('content-type: text/event-stream') + piece.repeat(200)
  const { google } = await connectGoogle({ dailyBudgetNanoUsd: 100_000 }, (socket) => void socket.write(endless))
  const stream = await google.models.generateContentStream(question)
  const error = await errorOf(textOf(stream, (chunk) => chunk.text))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 429, message: expect.stringContaining('BUDGET_EXCEEDED') })
})
