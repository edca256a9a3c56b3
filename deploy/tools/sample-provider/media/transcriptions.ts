import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { binary, events, json, type Answer } from '#tools/sample-provider/answer.ts'
import { readForm, type UploadedFile } from '#tools/sample-provider/files/form.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { countTokens } from '#tools/sample-provider/text/text.ts'

const TranscriptionRequest = z.looseObject({
  model: z.string(),
  response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt']).default('json'),
  stream: z.enum(['true', 'false']).optional(),
})

/** A kilobyte is taken for a tenth of a second. */
const secondsOf = (data: Buffer): number => Math.ceil(data.length / 1_024) / 10

const timestamp = (seconds: number, separator: string): string =>
  new Date(seconds * 1_000).toISOString().slice(11, 23).replace('.', separator)

const event = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`
const plain = (body: string): Answer => binary(Buffer.from(body), 'text/plain; charset=utf-8')

function* transcriptEvents(text: string, usage: object): Generator<string> {
  for (const delta of text.split(/(?= )/)) yield event({ type: 'transcript.text.delta', delta })
  yield event({ type: 'transcript.text.done', text, usage })
}

const answerTranscription = (fields: unknown, { filename, data }: UploadedFile): Answer => {
  const { model, response_format: format, stream } = parseBody(TranscriptionRequest, fields)
  requireModel(model)
  const text = `This is a sample transcript of ${filename}, ${data.length} bytes.`
  const seconds = secondsOf(data)
  const inputTokens = Math.ceil(seconds * 10)
  const outputTokens = countTokens(text)
  const tokenUsage = {
    type: 'tokens',
    input_tokens: inputTokens,
    input_token_details: { text_tokens: 0, audio_tokens: inputTokens },
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
  const usage = model.startsWith('whisper-') ? { type: 'duration', seconds: Math.ceil(seconds) } : tokenUsage
  // OpenAI's whisper takes no notice of `stream`.
  if (stream === 'true' && !model.startsWith('whisper-')) return events(transcriptEvents(text, usage))

  switch (format) {
    case 'text':
      return plain(`${text}\n`)
    case 'srt':
      return plain(`1\n${timestamp(0, ',')} --> ${timestamp(seconds, ',')}\n${text}\n\n`)
    case 'vtt':
      return plain(`WEBVTT\n\n${timestamp(0, '.')} --> ${timestamp(seconds, '.')}\n${text}\n\n`)
    case 'verbose_json':
      return json({ task: 'transcribe', language: 'english', duration: seconds, text, segments: [], usage })
    default:
      return json({ text, usage })
  }
}

export const transcriptionRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/audio/transcriptions', async ({ request }) => {
    const { fields, file } = await readForm(request)
    return answerTranscription(fields, file)
  })
}
