import { expect, test } from 'vitest'
import { collect, startProvider } from '#tools/sample-provider/test-provider.ts'

test('completes one prompt or several', async () => {
  const { client } = await startProvider()
  const one = await client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'Once', echo: true })
  expect(one.choices[0]?.text).toMatch(/^Once/)
  expect(one.choices[0]?.finish_reason).toBe('length')
  expect(one.usage?.completion_tokens).toBe(16)
  const many = await client.completions.create({ model: 'davinci-002', prompt: ['a', 'b'], n: 2, max_tokens: 500 })
  expect(many.choices.map((choice) => choice.index)).toEqual([0, 1, 2, 3])
  expect(many.choices[0]?.finish_reason).toBe('stop')
  const ids = await client.completions.create({ model: 'davinci-002', prompt: [1, 2, 3] })
  expect(ids.usage?.prompt_tokens).toBe(3)
})

test('streams a completion with usage last', async () => {
  const { client } = await startProvider()
  const request = { model: 'davinci-002', prompt: 'Once', max_tokens: 100 }
  const plain = await client.completions.create(request)
  const stream = await client.completions.create({ ...request, stream: true, stream_options: { include_usage: true } })
  const chunks = await collect(stream)
  expect(chunks.map((chunk) => chunk.choices[0]?.text ?? '').join('')).toBe(plain.choices[0]?.text)
  expect(chunks.at(-1)?.usage).toEqual(plain.usage)
})

test('answers and streams a response', async () => {
  const { client } = await startProvider()
  const request = { model: 'gpt-4.1', instructions: 'Be short.', input: 'Tell me something' }
  const plain = await client.responses.create(request)
  expect(plain.status).toBe('completed')
  expect(plain.output_text).toContain('Tell me something')
  expect(plain.usage?.input_tokens).toBe(Math.ceil('Be short.\nTell me something'.length / 4))

  const stream = await client.responses.create({ ...request, stream: true })
  const events = await collect(stream)
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
  expect([...new Set(events.map((event) => event.type))]).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
  const deltas = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
  expect(deltas.join('')).toBe(plain.output_text)

  const final = await client.responses.stream(request).finalResponse()
  expect(final.output_text).toBe(plain.output_text)
})

test('leaves a response incomplete at its limit and fits a schema', async () => {
  const { client } = await startProvider()
  const cut = await client.responses.create({
    model: 'gpt-4.1',
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
    max_output_tokens: 2,
  })
  expect(cut.status).toBe('incomplete')
  expect(cut.incomplete_details?.reason).toBe('max_output_tokens')
  const fitted = await client.responses.parse({
    model: 'gpt-4.1',
    input: 'Hello',
    text: {
      format: {
        type: 'json_schema',
        name: 'point',
        schema: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      },
    },
  })
  expect(fitted.output_parsed).toEqual({ x: 1 })
})

test('embeds texts and token ids as floats or base64', async () => {
  const { client } = await startProvider()
  const model = 'text-embedding-3-small'
  const floats = await client.embeddings.create({ model, input: ['a', 'b'], encoding_format: 'float' })
  const decoded = await client.embeddings.create({ model, input: ['a', 'b'] })
  expect(floats.data).toHaveLength(2)
  expect(floats.data[0]?.embedding).toHaveLength(1_536)
  expect(decoded.data[0]?.embedding).toEqual(floats.data[0]?.embedding)
  expect(floats.data[1]?.embedding).not.toEqual(floats.data[0]?.embedding)
  const length = Math.hypot(...(floats.data[0]?.embedding ?? []))
  expect(length).toBeCloseTo(1, 5)

  const short = await client.embeddings.create({ model, input: [[1, 2, 3], [4]], dimensions: 8 })
  expect(short.data.map((item) => item.embedding.length)).toEqual([8, 8])
  expect(short.usage.prompt_tokens).toBe(4)
  await expect(client.embeddings.create({ model, input: 'a', dimensions: 9_999 })).rejects.toMatchObject({
    status: 400,
    param: 'dimensions',
  })
})

test('moderates texts', async () => {
  const { client } = await startProvider()
  const { results } = await client.moderations.create({ input: ['I like tea', 'I will attack you'] })
  expect(results.map((result) => result.flagged)).toEqual([false, true])
  expect(results[1]?.categories.violence).toBe(true)
})

test('lists and describes models, and knows which do not exist', async () => {
  const { client } = await startProvider()
  const models = await collect(client.models.list())
  expect(models.map((model) => model.id)).toContain('gpt-4o-mini')
  expect((await client.models.retrieve('gpt-4o')).object).toBe('model')
  await expect(client.models.retrieve('llama')).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  await expect(
    client.chat.completions.create({ model: 'llama', messages: [{ role: 'user', content: 'Hi' }] }),
  ).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
})
