import { expect, test } from 'vitest'
import { collect, startProvider } from '#tools/sample-provider/test-provider.ts'

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
