import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { events, json } from '#tools/sample-provider/answer.ts'
import { readForm } from '#tools/sample-provider/files/form.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { countTokens } from '#tools/sample-provider/text/text.ts'

const TranscriptionRequest = z.looseObject({
  model: z.string(),
  response_format: z.literal('json', { error: 'the sample provider transcribes to json' }).optional(),
  stream: z.enum(['true', 'false']).optional(),
})

const bytesPerSecond = 10 * 1_024

const event = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`

function* transcriptEvents(text: string, usage: object): Generator<string> {
  for (const delta of text.split(/(?= )/)) yield event({ type: 'transcript.text.delta', delta })
  yield event({ type: 'transcript.text.done', text, usage })
}

export const transcriptionRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/audio/transcriptions', async ({ request }) => {
    const { fields, file } = await readForm(request)
    const { model, stream } = parseBody(TranscriptionRequest, fields)
    requireModel(model)
    const text = `This is a sample transcript of ${file.filename}, ${file.data.length} bytes.`
    const seconds = Math.ceil(file.data.length / bytesPerSecond)
    // OpenAI's whisper ignores `stream`.
    if (model.startsWith('whisper-')) return json({ text, usage: { type: 'duration', seconds } })
    const [input, output] = [10 * seconds, countTokens(text)]
    const usage = {
      type: 'tokens',
      input_tokens: input,
      input_token_details: { text_tokens: 0, audio_tokens: input },
      output_tokens: output,
      total_tokens: input + output,
    }
    return stream === 'true' ? events(transcriptEvents(text, usage)) : json({ text, usage })
  })
}
