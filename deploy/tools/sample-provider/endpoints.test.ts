import { toFile } from 'openai'
import { expect, test } from 'vitest'
import { collect, startProvider } from './test-provider.ts'

test('keeps, lists, hands out and deletes files', async () => {
  const { client } = await startProvider()
  const file = await client.files.create({ file: await toFile(Buffer.from('hello'), 'a.txt'), purpose: 'user_data' })
  expect(file).toMatchObject({ object: 'file', bytes: 5, filename: 'a.txt', purpose: 'user_data' })
  await client.files.create({ file: await toFile(Buffer.from('{}'), 'b.jsonl'), purpose: 'batch' })

  expect(await client.files.retrieve(file.id)).toEqual(file)
  expect(await (await client.files.content(file.id)).text()).toBe('hello')
  expect(await collect(client.files.list())).toHaveLength(2)
  expect(await collect(client.files.list({ purpose: 'user_data' }))).toEqual([file])

  expect(await client.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true })
  await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404, param: 'id' })
})

test('answers with an image, speech and a transcript', async () => {
  const { client, provider } = await startProvider()
  const { data } = await client.images.generate({ model: 'gpt-image-1', prompt: 'A cat' })
  expect(Buffer.from(data?.[0]?.b64_json ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG')

  const speech = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello there' })
  expect(speech.headers.get('content-type')).toBe('audio/mpeg')
  expect((await speech.arrayBuffer()).byteLength % 417).toBe(0)

  const file = await toFile(Buffer.alloc(2_048), 'speech.mp3')
  const { text } = await client.audio.transcriptions.create({ file, model: 'whisper-1' })
  expect(text).toBe('This is a sample transcript of speech.mp3, 2048 bytes.')
  expect(provider.received.at(-1)?.bodyBytes).toBeGreaterThan(2_048)
  const stream = await client.audio.transcriptions.create({ file, model: 'gpt-4o-transcribe', stream: true })
  expect((await collect(stream)).at(-1)).toMatchObject({ type: 'transcript.text.done', text })
})

test('embeds texts as floats or base64', async () => {
  const { client } = await startProvider()
  const request = { model: 'text-embedding-3-small', input: ['a', 'b'] }
  const floats = await client.embeddings.create({ ...request, encoding_format: 'float' })
  const decoded = await client.embeddings.create(request)
  expect(floats.data[0]?.embedding).toHaveLength(1_536)
  expect(decoded.data[0]?.embedding).toEqual(floats.data[0]?.embedding)
  expect(floats.data[1]?.embedding).not.toEqual(floats.data[0]?.embedding)
  expect(Math.hypot(...(floats.data[0]?.embedding ?? []))).toBeCloseTo(1, 5)
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
