import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readForm } from './files.ts'
import { requireModel } from './models.ts'
import { events, json, stream } from './response.ts'
import { parseBody, route } from './route.ts'
import { countTokens, sampleCreated } from './text/text.ts'

const ImageRequest = z.looseObject({
  prompt: z.string(),
  model: z.string().default('gpt-image-1'),
  n: z.number().int().min(1).max(10).default(1),
})

/** One white pixel as PNG. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTWfzgAAAABJRU5ErkJggg=='

const SpeechRequest = z.looseObject({ model: z.string(), input: z.string().max(4_096) })

/** Eight silent frames of MPEG-1 layer III: mono, 44.1 kHz, 128 kbit/s, 417 bytes, 1152 samples each. */
const frame = Buffer.alloc(417)
frame.set([0xff, 0xfb, 0x90, 0xc4])
const sound = Buffer.concat(Array.from({ length: 8 }, () => frame))

const TranscriptionRequest = z.looseObject({ model: z.string(), stream: z.enum(['true', 'false']).optional() })

const event = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`

function* transcriptEvents(text: string, usage: object): Generator<string> {
  for (const delta of text.split(/(?= )/)) yield event({ type: 'transcript.text.delta', delta })
  yield event({ type: 'transcript.text.done', text, usage })
}

const usageOf = (input: number, output: number, details: object) => ({
  input_tokens: input,
  ...details,
  output_tokens: output,
  total_tokens: input + output,
})

export function mediaRoutes(app: FastifyInstance): void {
  route(app, 'POST', '/v1/images/generations', ({ body }) => {
    const { prompt, model, n } = parseBody(ImageRequest, body)
    requireModel(model)
    const input = countTokens(prompt)
    const usage = usageOf(input, 272 * n, { input_tokens_details: { image_tokens: 0, text_tokens: input } })
    const data = Array.from({ length: n }, () => ({ b64_json: pixel }))
    return json({ created: sampleCreated, data, output_format: 'png', usage })
  })
  route(app, 'POST', '/v1/audio/speech', ({ body, faults }) => {
    const { model, input } = parseBody(SpeechRequest, body)
    requireModel(model)
    const length = faults.chunks ?? Math.ceil(input.length / 3)
    const chunks = Array.from({ length }, () => sound)
    return stream(chunks, 'audio/mpeg')
  })
}

/** Requires a scope with a multipart parser. */
export function transcriptionRoutes(app: FastifyInstance): void {
  route(app, 'POST', '/v1/audio/transcriptions', async ({ request }) => {
    const { fields, file } = await readForm(request)
    const { model, stream: isStream } = parseBody(TranscriptionRequest, fields)
    requireModel(model)
    const text = `This is a sample transcript of ${file.filename}, ${file.data.length} bytes.`
    const seconds = Math.ceil(file.data.length / 10_240)
    // OpenAI's whisper ignores `stream`.
    if (model.startsWith('whisper-')) return json({ text, usage: { type: 'duration', seconds } })
    const input = 10 * seconds
    const details = { input_token_details: { text_tokens: 0, audio_tokens: input } }
    const usage = { type: 'tokens', ...usageOf(input, countTokens(text), details) }
    return isStream === 'true' ? events(transcriptEvents(text, usage)) : json({ text, usage })
  })
}
