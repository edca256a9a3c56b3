import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import { expect, test } from 'vitest'
import { collect, startProvider } from '#tools/sample-provider/test-provider.ts'

const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is the weather in Paris?' }]
const tools: ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 2 } },
        required: ['city', 'days'],
        additionalProperties: false,
      },
    },
  },
]

test('answers a completion with usage, the same for the same request', async () => {
  const { client } = await startProvider()
  const request = { model: 'gpt-4o-mini', messages }
  const completion = await client.chat.completions.create(request)
  expect(completion.object).toBe('chat.completion')
  expect(completion.choices[0]?.message.content).toContain('weather in Paris')
  expect(completion.choices[0]?.finish_reason).toBe('stop')
  const { usage } = completion
  expect(usage?.prompt_tokens).toBe(Math.ceil('What is the weather in Paris?'.length / 4))
  expect(usage?.completion_tokens).toBe(Math.ceil((completion.choices[0]?.message.content?.length ?? 0) / 4))
  expect(usage?.total_tokens).toBe(Number(usage?.prompt_tokens) + Number(usage?.completion_tokens))
  expect(usage?.prompt_tokens_details?.cached_tokens).toBe(0)
  expect(usage?.completion_tokens_details?.reasoning_tokens).toBe(0)
  expect(await client.chat.completions.create(request)).toEqual(completion)
})

test('counts long prompts as cached and lets reasoning models reason', async () => {
  const { client } = await startProvider()
  const { usage } = await client.chat.completions.create({
    model: 'gpt-5-mini',
    messages: [{ role: 'user', content: 'x'.repeat(8_192) }],
    max_completion_tokens: 70,
  })
  expect(usage?.prompt_tokens).toBe(2_048)
  expect(usage?.prompt_tokens_details?.cached_tokens).toBe(1_920)
  expect(usage?.completion_tokens_details?.reasoning_tokens).toBe(64)
  expect(usage?.completion_tokens).toBe(70)
})

test('cuts at max_tokens and answers n choices', async () => {
  const { client } = await startProvider()
  const { choices, usage } = await client.chat.completions.create({ model: 'gpt-4o', messages, max_tokens: 3, n: 2 })
  expect(choices.map((choice) => choice.finish_reason)).toEqual(['length', 'length'])
  expect(choices.map((choice) => choice.message.content?.length)).toEqual([12, 12])
  expect(usage?.completion_tokens).toBe(6)
})

test('streams the text of the plain answer, with usage last', async () => {
  const { client } = await startProvider()
  const plain = await client.chat.completions.create({ model: 'gpt-4o', messages, n: 2 })
  const stream = await client.chat.completions.create({
    model: 'gpt-4o',
    messages,
    n: 2,
    stream: true,
    stream_options: { include_usage: true },
  })
  const chunks = await collect(stream)
  const last = chunks.pop()
  expect(last?.choices).toEqual([])
  expect(last?.usage).toEqual(plain.usage)
  expect(chunks.every((chunk) => chunk.usage === null && chunk.id === plain.id)).toBe(true)
  const texts = ['', '']
  for (const { choices } of chunks) for (const { index, delta } of choices) texts[index] += delta.content ?? ''
  expect(texts).toEqual(plain.choices.map((choice) => choice.message.content))
})

test('says nothing of usage in a stream that did not ask for it', async () => {
  const { client } = await startProvider()
  const stream = await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true })
  for await (const chunk of stream) expect(chunk).not.toHaveProperty('usage')
})

test('calls a tool that the message names, with arguments that fit its schema', async () => {
  const { client } = await startProvider()
  const naming: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Use get_weather for Paris.' }]
  const { choices } = await client.chat.completions.create({ model: 'gpt-4o', messages: naming, tools })
  expect(choices[0]?.finish_reason).toBe('tool_calls')
  expect(choices[0]?.message.content).toBeNull()
  const [call] = choices[0]?.message.tool_calls ?? []
  expect(call).toMatchObject({ type: 'function', function: { name: 'get_weather' } })
  const args: unknown = JSON.parse(call?.type === 'function' ? call.function.arguments : '')
  expect(args).toEqual({ city: 'sample', days: 2 })
})

test('streams tool calls so that the SDK puts them together', async () => {
  const { client } = await startProvider()
  const stream = client.chat.completions.stream({ model: 'gpt-4o', messages, tools, tool_choice: 'required' })
  const final = await stream.finalChatCompletion()
  expect(final.choices[0]?.finish_reason).toBe('tool_calls')
  expect(final.choices[0]?.message.tool_calls?.[0]).toMatchObject({
    function: { name: 'get_weather', arguments: '{"city":"sample","days":2}' },
  })
})

test('answers with text when no tool is named, tools are off, or a result has come', async () => {
  const { client } = await startProvider()
  const toolless = await client.chat.completions.create({ model: 'gpt-4o', messages, tools })
  const off = await client.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'Use get_weather.' }],
    tools,
    tool_choice: 'none',
  })
  const after = await client.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'tool', tool_call_id: 'call_1', content: 'get_weather says 20 °C' }],
    tools,
  })
  for (const { choices } of [toolless, off, after]) expect(choices[0]?.finish_reason).toBe('stop')
})

test('answers structured output that the SDK can parse', async () => {
  const { client } = await startProvider()
  const completion = await client.chat.completions.parse({
    model: 'gpt-4o',
    messages,
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'report',
        strict: true,
        schema: {
          type: 'object',
          properties: { title: { type: 'string' }, tags: { type: 'array', items: { enum: ['a', 'b'] } } },
          required: ['title', 'tags'],
        },
      },
    },
  })
  expect(completion.choices[0]?.message.parsed).toEqual({ title: 'sample', tags: ['a'] })
  const { choices } = await client.chat.completions.create({
    model: 'gpt-4o',
    messages,
    response_format: { type: 'json_object' },
  })
  expect(JSON.parse(choices[0]?.message.content ?? '')).toHaveProperty('answer')
})
