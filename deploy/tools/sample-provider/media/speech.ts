import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { stream } from '#tools/sample-provider/answer.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'

const SpeechRequest = z.looseObject({
  model: z.string(),
  input: z.string().max(4_096),
  voice: z.union([z.string(), z.looseObject({ id: z.string() })]),
  response_format: z.literal('mp3', { error: 'the sample provider makes mp3' }).nullish(),
})

const charsPerChunk = 3

/** A silent frame of MPEG-1 layer III: mono, 44.1 kHz, 128 kbit/s, 417 bytes, 1152 samples. */
const frame = Buffer.alloc(417)
frame.set([0xff, 0xfb, 0x90, 0xc4])
const chunk = Buffer.concat(Array.from({ length: 8 }, () => frame))

export const speechRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/audio/speech', ({ body, faults }) => {
    const { model, input } = parseBody(SpeechRequest, body)
    requireModel(model)
    const length = faults.chunks ?? Math.ceil(input.length / charsPerChunk)
    return stream(
      Array.from({ length }, () => chunk),
      'audio/mpeg',
    )
  })
}
