import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { tool as langchainTool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { OpenAI as LlamaIndexOpenAI } from '@llamaindex/openai'
import * as agents from '@openai/agents'
import * as ai from 'ai'
import OpenAI7 from 'openai'
import OpenAI4 from 'openai4'
import OpenAI5 from 'openai5'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { jsonResponse, okHead } from '../../../services/proxy/test/raw-upstream.fixture.ts'
import { useTestBench } from '../../../services/proxy/test/gateway.fixture.ts'
import { product } from '../../../schemas/product.ts'
import { errorOf, textOf } from './outcomes.fixture.ts'

/** Tests the packages that applications use. The tests of the newest `openai`, `ws` and curl are beside the proxy. */
const bench = await useTestBench()
const gateway = await bench.startGateway()
const account = await bench.createTestAccount()
const { baseURL } = gateway
const apiKey = account.token.secret
const wrongKey = `${apiKey.slice(0, -1)}${apiKey.endsWith('x') ? 'y' : 'x'}`

const model = 'gpt-4o-mini'
const content = 'What is the weather in Oslo?'
const messages = [{ role: 'user' as const, content }]
const askForTool = 'Use get_weather for Oslo'
const city = z.object({ city: z.string() })

/** The sample provider's direct response to the same message. */
const expected = await sayDirectly()

async function sayDirectly(): Promise<string> {
  const direct = new OpenAI7({ apiKey: 'sk-primary', baseURL: `${bench.providerOrigin}/v1` })
  const { choices } = await direct.chat.completions.create({ model, messages })
  return choices[0]!.message.content!
}

describe.each([
  ['4', OpenAI4 as unknown as typeof OpenAI7],
  ['5', OpenAI5 as unknown as typeof OpenAI7],
])('openai %s', (_, OpenAI) => {
  const client = new OpenAI({ apiKey, baseURL, maxRetries: 0 })

  test('chat, plain and streamed', async () => {
    const { choices } = await client.chat.completions.create({ model, messages })
    expect(choices[0]!.message.content).toBe(expected)
    const stream = await client.chat.completions.create({ model, messages, stream: true })
    expect(await textOf(stream, (chunk) => chunk.choices[0]?.delta.content)).toBe(expected)
  })

  test('a response, plain and streamed', async () => {
    const { output_text: text } = await client.responses.create({ model, input: content })
    const stream = await client.responses.create({ model, input: content, stream: true })
    const streamed = await textOf(stream, (event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
    expect(text).not.toBe('')
    expect(streamed).toBe(text)
  })

  test('a typed error', async () => {
    const wrong = new OpenAI({ apiKey: wrongKey, baseURL, maxRetries: 0 })
    const error = await errorOf(wrong.chat.completions.create({ model, messages }))
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(error).toMatchObject({ status: 401, code: 'invalid_token' })
  })
})

test('the openai package runs tools', async () => {
  const called: string[] = []
  const runner = new OpenAI7({ apiKey, baseURL }).chat.completions.runTools({
    model,
    messages: [{ role: 'user', content: askForTool }],
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'Weather',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          parse: (input: string) => city.parse(JSON.parse(input)),
          function: (input: { city: string }) => {
            called.push(input.city)
            return 'sunny'
          },
        },
      },
    ],
  })
  expect(await runner.finalContent()).toBeTruthy()
  expect(called).toHaveLength(1)
})

describe('the Vercel AI SDK', () => {
  const openai = createOpenAI({ baseURL, apiKey })

  test.each([
    ['chat completions', openai.chat(model)],
    ['responses', openai(model)],
  ])('%s: plain, streamed', async (_, languageModel) => {
    const { text } = await ai.generateText({ model: languageModel, prompt: content })
    expect(text).not.toBe('')
    const { textStream } = ai.streamText({ model: languageModel, prompt: content })
    expect(await textOf(textStream, (part) => part)).toBe(text)
  })

  test('tools', async () => {
    const { toolResults } = await ai.generateText({
      model: openai.chat(model),
      prompt: askForTool,
      tools: { get_weather: ai.tool({ inputSchema: city, execute: async () => 'sunny' }) },
    })
    expect(toolResults).toMatchObject([{ toolName: 'get_weather', output: 'sunny' }])
  })

  test('a typed error', async () => {
    const wrong = createOpenAI({ baseURL, apiKey: wrongKey })
    const error = await errorOf(ai.generateText({ model: wrong.chat(model), prompt: content }))
    expect(ai.APICallError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ statusCode: 401, isRetryable: false })
  })
})

describe('LangChain', () => {
  const configuration = { baseURL }
  const chat = new ChatOpenAI({ model, apiKey, configuration })

  test('plain, streamed', async () => {
    expect((await chat.invoke(content)).text).toBe(expected)
    expect(await textOf(await chat.stream(content), (chunk) => chunk.text)).toBe(expected)
  })

  test('tools', async () => {
    const getWeather = langchainTool(async () => 'sunny', { name: 'get_weather', description: 'Weather', schema: city })
    const { tool_calls: calls } = await chat.bindTools([getWeather]).invoke(askForTool)
    expect(calls).toMatchObject([{ name: 'get_weather', args: { city: expect.any(String) } }])
  })

  test('a typed error', async () => {
    const wrong = new ChatOpenAI({ model, apiKey: wrongKey, configuration, maxRetries: 0 })
    expect(await errorOf(wrong.invoke(content))).toMatchObject({ status: 401, code: 'invalid_token' })
  })
})

describe('the OpenAI Agents SDK', () => {
  agents.setTracingDisabled(true)
  const client = new OpenAI7({ apiKey, baseURL })
  const instructions = 'Help'

  test('a response, plain and streamed', async () => {
    const agent = new agents.Agent({ name: 'A', instructions, model: new agents.OpenAIResponsesModel(client, model) })
    const { finalOutput } = await agents.run(agent, content)
    expect(finalOutput).toBeTruthy()
    const streamed = await agents.run(agent, content, { stream: true })
    expect(await textOf(streamed.toTextStream(), (part) => part)).toBe(finalOutput)
  })

  test('tools', async () => {
    const called: string[] = []
    const getWeather = agents.tool({
      name: 'get_weather',
      description: 'Weather',
      parameters: city,
      execute: async (input) => {
        called.push(input.city)
        return 'sunny'
      },
    })
    const chat = new agents.OpenAIChatCompletionsModel(client, model)
    const agent = new agents.Agent({ name: 'A', instructions, model: chat, tools: [getWeather] })
    const { finalOutput } = await agents.run(agent, askForTool)
    expect(called).toHaveLength(1)
    expect(finalOutput).toBeTruthy()
  })

  test('a typed error', async () => {
    const wrong = new OpenAI7({ apiKey: wrongKey, baseURL, maxRetries: 0 })
    const agent = new agents.Agent({ name: 'A', model: new agents.OpenAIResponsesModel(wrong, model) })
    expect(await errorOf(agents.run(agent, content))).toMatchObject({ status: 401, code: 'invalid_token' })
  })
})

describe('LlamaIndex', () => {
  const llm = new LlamaIndexOpenAI({ model, apiKey, baseURL })

  test('plain, streamed', async () => {
    expect((await llm.chat({ messages })).message.content).toBe(expected)
    expect(await textOf(await llm.chat({ messages, stream: true }), (chunk) => chunk.delta)).toBe(expected)
  })

  test('a typed error', async () => {
    const wrong = new LlamaIndexOpenAI({ model, apiKey: wrongKey, baseURL, maxRetries: 0 })
    expect(await errorOf(wrong.chat({ messages }))).toMatchObject({ status: 401, code: 'invalid_token' })
  })
})

/** An account whose provider is Anthropic-shaped and always responds with the same bytes. */
async function connectAnthropic(bytes: string) {
  const { account: owner, upstream } = await bench.createAccountWithUpstream((socket) => socket.end(bytes), {
    config: { credentialHeader: 'x-api-key' },
  })
  const options = { baseURL: gateway.origin + product.proxyPath, maxRetries: 0 }
  return { upstream, options, secret: owner.token.secret }
}

describe("Anthropic's SDK, against a base URL of Anthropic's shape", () => {
  const question = { model: 'claude-sonnet-5', max_tokens: 150, messages }
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: question.model,
    content: [{ type: 'text', text: 'Sunny' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 7, output_tokens: 1 },
  }
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Sunny' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
  const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  const overloaded = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })

  test.each(['apiKey', 'authToken'] as const)('plain, with the token as %s', async (name) => {
    const { upstream, options, secret } = await connectAnthropic(
      jsonResponse(JSON.stringify(message), 'connection: close'),
    )
    const client = new Anthropic({ apiKey: null, authToken: null, ...options, [name]: secret })
    expect((await client.messages.create(question)).content).toEqual(message.content)
    const sent = upstream.heads.at(-1)!
    expect(sent).toMatch(/^POST \/v1\/messages /)
    expect(sent).toContain('x-api-key: sk-primary')
    expect(sent).toMatch(/^anthropic-version: /im)
    expect(sent).not.toContain(secret)
  })

  test('streamed', async () => {
    const { options, secret } = await connectAnthropic(
      okHead('content-type: text/event-stream', 'connection: close') + stream,
    )
    const client = new Anthropic({ apiKey: secret, authToken: null, ...options })
    expect(await client.messages.stream(question).finalText()).toBe('Sunny')
  })

  test('typed errors, of the provider and of the gateway', async () => {
    const headers = ['content-type: application/json', `content-length: ${overloaded.length}`, 'connection: close']
    const { options, secret } = await connectAnthropic(
      `HTTP/1.1 529 Overloaded\r\n${headers.join('\r\n')}\r\n\r\n${overloaded}`,
    )
    const client = new Anthropic({ apiKey: secret, authToken: null, ...options })
    const error = await errorOf(client.messages.create(question))
    expect(error).toBeInstanceOf(Anthropic.InternalServerError)
    expect(error).toMatchObject({ status: 529, error: JSON.parse(overloaded) })
    const wrong = new Anthropic({ apiKey: wrongKey, authToken: null, ...options })
    const rejected = await errorOf(wrong.messages.create(question))
    expect(rejected).toBeInstanceOf(Anthropic.AuthenticationError)
    // The Vercel AI SDK shows the message only of an error with this type.
    expect(rejected).toMatchObject({ error: { type: 'error', error: { code: 'invalid_token' } } })
  })
})
