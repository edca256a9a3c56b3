import { toFile } from 'openai'
import { expect, test } from 'vitest'
import { collect, startProvider } from '#tools/sample-provider/test-provider.ts'

const pngSignature = '89504e470d0a1a0a'

test('draws an image in the size that was asked for', async () => {
  const { client } = await startProvider()
  const { data, usage } = await client.images.generate({ model: 'gpt-image-1', prompt: 'A cat', size: '1536x1024' })
  const png = Buffer.from(data?.[0]?.b64_json ?? '', 'base64')
  expect(png.toString('hex', 0, 8)).toBe(pngSignature)
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_536, 1_024])
  expect(png.length).toBeLessThan(1_000)
  expect(usage?.total_tokens).toBe(Number(usage?.input_tokens) + Number(usage?.output_tokens))
})

test('links to an image that can be fetched without a key', async () => {
  const { client } = await startProvider()
  const { data } = await client.images.generate({ model: 'dall-e-3', prompt: 'A dog' })
  const image = await fetch(data?.[0]?.url ?? '')
  expect(image.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await image.arrayBuffer()).toString('hex', 0, 8)).toBe(pngSignature)
})

test('speaks as a stream of bytes', async () => {
  const { client } = await startProvider()
  const speech = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello there' })
  expect(speech.headers.get('content-type')).toBe('audio/mpeg')
  const mp3 = Buffer.from(await speech.arrayBuffer())
  expect(mp3.length % 417).toBe(0)
  expect(mp3.toString('hex', 417, 419)).toBe('fffb')

  const wav = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hi', response_format: 'wav' })
  const bytes = Buffer.from(await wav.arrayBuffer())
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
})

test('transcribes an upload in every format, and as a stream', async () => {
  const { client, provider } = await startProvider()
  const file = await toFile(Buffer.alloc(2_048), 'speech.mp3')
  const { text } = await client.audio.transcriptions.create({ file, model: 'whisper-1' })
  expect(text).toBe('This is a sample transcript of speech.mp3, 2048 bytes.')
  expect(provider.received[0]?.bodyBytes).toBeGreaterThan(2_048)
  expect(await client.audio.transcriptions.create({ file, model: 'whisper-1', response_format: 'srt' })).toContain(
    '00:00:00,000 --> 00:00:00,200',
  )
  const verbose = await client.audio.transcriptions.create({
    file,
    model: 'whisper-1',
    response_format: 'verbose_json',
  })
  expect(verbose.duration).toBe(0.2)

  const stream = await client.audio.transcriptions.create({ file, model: 'gpt-4o-transcribe', stream: true })
  const events = await collect(stream)
  expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text })
})

test('refuses a transcription without a file or of another type', async () => {
  const { origin } = await startProvider()
  const url = `${origin}/v1/audio/transcriptions`
  const headers = { authorization: 'Bearer sk-test' }
  const form = new FormData()
  form.append('model', 'whisper-1')
  const fileless = await fetch(url, { method: 'POST', headers, body: form })
  expect(fileless.status).toBe(400)
  expect(await fileless.json()).toMatchObject({ error: { param: 'file' } })
  const typed = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await typed.json()).toMatchObject({ error: { code: 'unsupported_content_type' } })
})
