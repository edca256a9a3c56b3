import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { json } from '#tools/sample-provider/answer.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { countTokens, sampleCreated } from '#tools/sample-provider/text/text.ts'

const ImageRequest = z.looseObject({
  prompt: z.string(),
  model: z.string().default('gpt-image-1'),
  n: z.number().int().min(1).max(10).default(1),
})

/** One white pixel as PNG. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTWfzgAAAABJRU5ErkJggg=='

export const imageRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/images/generations', ({ body }) => {
    const { prompt, model, n } = parseBody(ImageRequest, body)
    requireModel(model)
    const inputTokens = countTokens(prompt)
    const outputTokens = 272 * n
    return json({
      created: sampleCreated,
      data: Array.from({ length: n }, () => ({ b64_json: pixel })),
      output_format: 'png',
      usage: {
        input_tokens: inputTokens,
        input_tokens_details: { image_tokens: 0, text_tokens: inputTokens },
        output_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      },
    })
  })
}
