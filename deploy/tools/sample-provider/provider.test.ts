import { toFile } from 'openai'
import { expect, test } from 'vitest'
import { collect, startProvider } from './test-provider.ts'

const model = 'gpt-4o'
const messages = [{ role: 'user' as const, content: 'What is the weather in Paris?' }]
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 2 } },
  required: ['city', 'days'],
}
const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }]

test('a chat completion has usage, a limit and choices, and is the same for the same request', async () => {
  const { client } = await startProvider()
  const plain = await client.chat.completions.create({ model, messages })
  expect(plain.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: expect.stringContaining('weather in Paris') },
  })
  const [prompt, completion] = ['What is the weather in Paris?', plain.choices[0]?.message.content ?? '']
  const usage = { prompt_tokens: Math.ceil(prompt.length / 4), completion_tokens: Math.ceil(completion.length / 4) }
  expect(plain.usage).toMatchObject(usage)
  expect(await client.chat.completions.create({ model, messages })).toEqual(plain)
  const cut = await client.chat.completions.create({ model, messages, max_tokens: 3, n: 2 })
  expect(cut.choices.map((choice) => choice.finish_reason)).toEqual(['length', 'length'])
  expect(cut.usage?.completion_tokens).toBe(6)
})

test('long prompts count as cached and reasoning models reason', async () => {
  const { client } = await startProvider()
  const long = [{ role: 'user' as const, content: 'x'.repeat(8_192) }]
  const request = { model: 'gpt-5-mini', messages: long, max_completion_tokens: 70 }
  expect((await client.chat.completions.create(request)).usage).toMatchObject({
    prompt_tokens: 2_048,
    completion_tokens: 70,
    prompt_tokens_details: { cached_tokens: 1_920 },
    completion_tokens_details: { reasoning_tokens: 64 },
  })
})

test('streams of chat, text and responses have the text of the plain response, and usage where requested', async () => {
  const { client } = await startProvider()
  const usage = { stream: true, stream_options: { include_usage: true } } as const
  const chat = { model, messages, n: 2 }
  const plain = await client.chat.completions.create(chat)
  const chunks = await collect(await client.chat.completions.create({ ...chat, ...usage }))
  expect(chunks.pop()).toMatchObject({ choices: [], usage: plain.usage })
  expect(chunks.every((chunk) => chunk.usage === null && chunk.id === plain.id)).toBe(true)
  const texts = ['', '']
  for (const { choices } of chunks) for (const { index, delta } of choices) texts[index] += delta.content ?? ''
  expect(texts).toEqual(plain.choices.map((choice) => choice.message.content))
  const unasked = await collect(await client.chat.completions.create({ model, messages, stream: true }))
  expect(unasked.some((chunk) => 'usage' in chunk)).toBe(false)

  const text = { model: 'davinci-002', prompt: 'Once', max_tokens: 100 }
  const completion = await client.completions.create(text)
  const pieces = await collect(await client.completions.create({ ...text, ...usage }))
  expect(pieces.map((chunk) => chunk.choices[0]?.text ?? '').join('')).toBe(completion.choices[0]?.text)
  expect(pieces.at(-1)?.usage).toEqual(completion.usage)

  const request = { model: 'gpt-4.1', instructions: 'Be short.', input: 'Tell me something' }
  const response = await client.responses.create(request)
  expect(response).toMatchObject({ status: 'completed', usage: { input_tokens: 7 } })
  expect((await client.responses.stream(request).finalResponse()).output_text).toBe(response.output_text)
  const cut = await client.responses.create({ ...request, max_output_tokens: 2 })
  expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
})

test('tools are called when the request demands or the message names one, and not otherwise', async () => {
  const { client } = await startProvider()
  const stream = client.chat.completions.stream({ model, messages, tools, tool_choice: 'required' })
  const call = { function: { name: 'get_weather', arguments: '{"city":"sample","days":2}' } }
  expect((await stream.finalChatCompletion()).choices[0]?.message.tool_calls).toMatchObject([call])
  const user = { role: 'user' as const, content: 'Use get_weather.' }
  const result = { role: 'tool' as const, tool_call_id: 'call_1', content: 'get_weather says 20 °C' }
  const reasons = [{ messages: [user] }, { messages }, { messages: [user, result] }].map(async (request) => {
    const { choices } = await client.chat.completions.create({ model, tools, ...request })
    return choices[0]?.finish_reason
  })
  expect(await Promise.all(reasons)).toEqual(['tool_calls', 'stop', 'stop'])
})

test('structured output fits its schema', async () => {
  const { client } = await startProvider()
  const properties = { title: { type: 'string' }, tags: { type: 'array', items: { enum: ['a', 'b'] } } }
  const format = { type: 'json_schema' as const, name: 'report', schema: { type: 'object', properties } }
  const chat = { model, messages, response_format: { type: format.type, json_schema: format } }
  const expected = { title: 'sample', tags: ['a'] }
  expect((await client.chat.completions.parse(chat)).choices[0]?.message.parsed).toEqual(expected)
  const response = await client.responses.parse({ model, input: 'Hello', text: { format } })
  expect(response.output_parsed).toEqual(expected)
})

test('embeddings, moderations, media, models and files', async () => {
  const { client } = await startProvider()
  const request = { model: 'text-embedding-3-small', input: ['a', 'b'] }
  const floats = await client.embeddings.create({ ...request, encoding_format: 'float' })
  const decoded = await client.embeddings.create(request)
  expect(decoded.data[0]?.embedding).toEqual(floats.data[0]?.embedding)
  expect(floats.data[1]?.embedding).not.toEqual(floats.data[0]?.embedding)

  const { results } = await client.moderations.create({ input: ['I like tea', 'I will attack you'] })
  expect(results.map((result) => result.flagged)).toEqual([false, true])

  const { data } = await client.images.generate({ model: 'gpt-image-1', prompt: 'A cat' })
  expect(Buffer.from(data?.[0]?.b64_json ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG')
  const speech = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello there' })
  expect((await speech.arrayBuffer()).byteLength % 417).toBe(0)
  const sound = await toFile(Buffer.alloc(2_048), 'speech.mp3')
  const { text } = await client.audio.transcriptions.create({ file: sound, model: 'whisper-1' })
  expect(text).toBe('This is a sample transcript of speech.mp3, 2048 bytes.')

  expect((await collect(client.models.list())).map(({ id }) => id)).toContain('gpt-4o-mini')
  await expect(client.models.retrieve('llama')).rejects.toMatchObject({ status: 404, code: 'model_not_found' })

  const file = await client.files.create({ file: await toFile(Buffer.from('hello'), 'a.txt'), purpose: 'user_data' })
  expect(file).toMatchObject({ bytes: 5, filename: 'a.txt', purpose: 'user_data' })
  expect(await (await client.files.content(file.id)).text()).toBe('hello')
  expect(await collect(client.files.list({ purpose: 'batch' }))).toEqual([])
  await client.files.delete(file.id)
  await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404, param: 'id' })
})

test.each<[string, Record<string, string>, object, object]>([
  ['no model', {}, { model: undefined }, { message: 'you must provide a model parameter' }],
  ['no messages', {}, { messages: undefined }, { param: 'messages', code: 'missing_required_parameter' }],
  ['a wrong value', {}, { n: 0 }, { param: 'n', code: 'invalid_value' }],
  ['another type', { 'content-type': 'text/plain' }, {}, { code: 'unsupported_content_type' }],
  ['a control with a wrong value', { 'x-provider-status': '200' }, {}, { code: 'invalid_provider_control' }],
  ['an unknown control', { authorization: 'Bearer sk-a.resett=before' }, {}, { code: 'invalid_provider_control' }],
])('a request with %s is rejected as OpenAI does', async (_, headers, body, error) => {
  const { chat } = await startProvider()
  const response = await chat(headers, body)
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 400, body: { error } })
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
})

test('keys are checked, without the controls in them', async () => {
  const { chat } = await startProvider()
  const listed = await startProvider({ apiKeys: ['sk-one'] })
  const statusOf = async (send: typeof chat, authorization: string) => (await send({ authorization })).status
  expect(await statusOf(chat, 'none')).toBe(401)
  expect(await statusOf(chat, 'Bearer sk-bad-1')).toBe(401)
  expect(await statusOf(listed.chat, 'Bearer sk-two')).toBe(401)
  expect(await statusOf(listed.chat, 'Bearer sk-one')).toBe(200)
  expect(await statusOf(listed.chat, 'Bearer sk-one.status=429')).toBe(429)
})

test('the record of what came in is bounded', async () => {
  const { provider, chat } = await startProvider({ recordLimit: 10 })
  for (let index = 0; index < 12; index += 1) await (await chat({ 'x-number': String(index) })).text()
  expect(provider.received).toHaveLength(10)
  const last = { key: 'sk-test', headers: { 'x-number': '11' }, bodyBytes: 70, status: 200, aborted: false }
  await expect.poll(() => provider.received.at(-1)).toMatchObject(last)
})
