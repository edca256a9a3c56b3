import OpenAI, { toFile } from 'openai'
import { describe, expect, test, vi } from 'vitest'
import { useTestBench } from './gateway.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()
const account = await bench.createTestAccount()
const direct = new OpenAI({ apiKey: 'sk-primary', baseURL: `${bench.providerOrigin}/v1`, maxRetries: 0 })
const through = account.sdk(gateway)

const model = 'gpt-4o-mini'
const messages = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }]
const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const response_format = { type: 'json_schema' as const, json_schema: { name: 'place', schema } }

async function collect<Item>(items: PromiseLike<AsyncIterable<Item>>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of await items) collected.push(item)
  return collected
}
const bytes = async (response: PromiseLike<Response>) =>
  Buffer.from(await (await response).arrayBuffer()).toString('hex')
const upload = (text: string) => toFile(Buffer.from(text), 'input.jsonl')

/** Replaces ids and times, which differ in every call. */
const normalize = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, field: unknown) => (/^(?:id|created_at)$/.test(key) && field !== null ? '…' : field)),
  )

const calls: Record<string, (client: OpenAI) => PromiseLike<unknown>> = {
  'chat completion': (client) => client.chat.completions.create({ model, messages }),
  'chat completion with several choices': (client) => client.chat.completions.create({ model, messages, n: 3 }),
  'chat stream': (client) => collect(client.chat.completions.create({ model, messages, stream: true })),
  'chat stream with usage': (client) =>
    collect(client.chat.completions.create({ model, messages, stream: true, stream_options: { include_usage: true } })),
  'chat tools': (client) => client.chat.completions.create({ model, messages, tools, tool_choice: 'required' }),
  'chat tools as a stream': (client) =>
    collect(client.chat.completions.create({ model, messages, tools, tool_choice: 'required', stream: true })),
  'structured output': (client) => client.chat.completions.parse({ model, messages, response_format }),
  'structured output as a stream': (client) =>
    client.chat.completions.stream({ model, messages, response_format }).finalChatCompletion(),
  completion: (client) => client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hello' }),
  'completion as a stream': (client) =>
    collect(client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hello', stream: true })),
  response: (client) => client.responses.create({ model, input: 'Hello' }),
  'response as a stream': (client) => collect(client.responses.create({ model, input: 'Hello', stream: true })),
  embeddings: (client) => client.embeddings.create({ model: 'text-embedding-3-small', input: ['one', 'two'] }),
  image: (client) => client.images.generate({ model: 'gpt-image-1', prompt: 'A cat' }),
  speech: (client) => bytes(client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello there' })),
  transcription: async (client) =>
    client.audio.transcriptions.create({ file: await upload('sound'), model: 'whisper-1' }),
  'transcription as a stream': async (client) =>
    collect(
      client.audio.transcriptions.create({ file: await upload('sound'), model: 'gpt-4o-transcribe', stream: true }),
    ),
  moderation: (client) => client.moderations.create({ model: 'omni-moderation-latest', input: 'Hello' }),
  'models, all and one': async (client) => [await collect(client.models.list()), await client.models.retrieve(model)],
  'a file from upload to deletion': async (client) => {
    const file = await client.files.create({ file: await upload('{"a":1}\n'), purpose: 'vision' })
    return normalize([
      file,
      await collect(client.files.list({ purpose: 'vision' })),
      await client.files.retrieve(file.id),
      await (await client.files.content(file.id)).text(),
      await client.files.delete(file.id),
    ])
  },
}

test.each(Object.entries(calls))(
  'the openai package gets the same response as from the provider: %s',
  async (_name, call) => {
    const expected = await call(direct)
    expect(await call(through)).toEqual(expected)
  },
)

describe('the openai package raises the same errors as against the provider', () => {
  const failures: typeof calls = {
    'a field that is missing': (client) => client.chat.completions.create({ model, messages: undefined! }),
    'a model that does not exist': (client) => client.models.retrieve('no-such-model'),
    'a path that does not exist': (client) => client.get('/no/such/path'),
    'a file that does not exist': (client) => client.files.content('file-none'),
    'a stream that is rejected': (client) => client.chat.completions.create({ model: '', messages, stream: true }),
  }
  test.each(Object.entries(failures))('%s', async (_name, call) => {
    const errorOf = async (client: OpenAI) => {
      const { constructor, status, message, code, param, type } = await Promise.resolve(call(client)).then(
        () => expect.unreachable(),
        (error: InstanceType<typeof OpenAI.APIError>) => error,
      )
      return { constructor, status, message, code, param, type }
    }
    const expected = await errorOf(direct)
    expect(expected.status).toBeGreaterThanOrEqual(400)
    expect(await errorOf(through)).toEqual(expected)
  })
})

test('the request id leads to the log, which has the id of the provider too', async () => {
  const { response, request_id: requestId } = await through.chat.completions
    .create({ model, messages }, { headers: { 'x-sallyport-debug': '1' } })
    .withResponse()
  expect(requestId).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/)
  expect(response.headers.get('x-provider-request-id')).toMatch(/^req_/)
  const event = await bench.events.of(requestId)
  expect(event).toMatchObject({
    accountId: account.accountId,
    tokenId: account.token.id,
    apiKeyId: account.keyIds[0],
    method: 'POST',
    endpoint: '/v1/chat/completions',
    model,
    status: 200,
    attempts: 1,
    outcome: 'completed',
    streamed: false,
    promptTokens: 7,
    completionTokens: 44,
    costSource: 'exact',
    providerRequestId: response.headers.get('x-provider-request-id'),
    responseBytes: Number(response.headers.get('content-length')),
    clientAddress: '127.0.0.1',
    requestBody: null,
    responseBody: null,
  })
  const costUsd = Number(response.headers.get('x-sallyport-cost-usd'))
  expect(costUsd * 1e9).toBeCloseTo(event.costNanoUsd!)
  expect(event.costNanoUsd).toBe(7 * 150 + 44 * 600)
  expect(response.headers.get('x-sallyport-prompt-tokens')).toBe('7')
  expect(response.headers.get('x-sallyport-completion-tokens')).toBe('44')
  expect(Number(response.headers.get('x-sallyport-overhead-ms'))).toBeGreaterThan(0)
  expect(response.headers.get('server-timing')).toMatch(/^gateway;dur=[\d.]+, upstream;dur=[\d.]+$/)
})

test('the package retries through the gateway as it does against the provider', async () => {
  const flaky = await bench.createTestAccount({ keys: ['sk-flaky.status=503.fail-times=2'] })
  const client = flaky.sdk(gateway, { maxRetries: 3 })
  await expect(client.models.list()).resolves.toMatchObject({ object: 'list' })
  const retryCounts = bench.provider.received
    .filter(({ key }) => key?.startsWith('sk-flaky'))
    .map(({ headers }) => headers['x-stainless-retry-count'])
  expect(retryCounts).toEqual(['0', '1', '2'])
})

test('the package does not repeat a request that the provider may still be working on', async () => {
  const slow = await bench.createTestAccount({ keys: ['sk-working.hang=1'], config: { timeout: 1_000 } })
  const client = slow.sdk(gateway, { maxRetries: 2 })
  const completing = client.chat.completions.create({ model, messages })
  await expect(completing).rejects.toMatchObject({ status: 504, code: 'upstream_timeout' })
  expect(bench.provider.received.filter(({ key }) => key?.startsWith('sk-working'))).toHaveLength(1)
})

test("the package's own timeout and abort signal end the request at the provider", async () => {
  const slow = await bench.createTestAccount({ keys: ['sk-slow.hang=1'] })
  const call = async (options: OpenAI.RequestOptions) =>
    slow.sdk(gateway).chat.completions.create({ model, messages }, options)
  const aborted = () =>
    bench.provider.received.filter(({ key }) => key?.startsWith('sk-slow')).map((request) => request.aborted)
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const timeout = 123_456
  const late = expect(call({ timeout })).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError)
  await expect.poll(aborted).toEqual([false])
  const [endOfTime] = timers.mock.calls.find(([, ms]) => ms === timeout)!
  timers.mockRestore()
  endOfTime()
  await late
  const leaving = new AbortController()
  const left = expect(call({ signal: leaving.signal })).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
  await expect.poll(() => aborted().length).toBe(2)
  leaving.abort()
  await left
  const events = await bench.events.ofAccount(slow.accountId, 2)
  for (const event of events) expect(event).toMatchObject({ outcome: 'client_aborted', status: 0 })
  expect(aborted()).toEqual([true, true])
})
