import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { requireModel } from '#tools/sample-provider/models.ts'
import { json } from '#tools/sample-provider/response.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { countTokens, hash, sampleId } from './text.ts'

const Input = z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1).max(2_048)])

const EmbeddingRequest = z.looseObject({
  model: z.string(),
  input: Input,
  dimensions: z.number().int().min(1).max(3_072).default(1_536),
  encoding_format: z.enum(['float', 'base64']).nullish(),
})

const ModerationRequest = z.looseObject({ model: z.string().default('omni-moderation-latest'), input: Input })

/** A vector of length 1 that is a function of the text. */
function embed(text: string, dimensions: number): Float32Array<ArrayBuffer> {
  const start = hash(text)
  const vector = Float32Array.from({ length: dimensions }, (_, index) => Math.sin(start + index))
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** Detects one category by one word. */
function moderate(text: string) {
  const flagged = /\battack\b/i.test(text)
  return { flagged, categories: { violence: flagged }, category_scores: { violence: flagged ? 0.98 : 0.0001 } }
}

/** Embeddings and moderations, which process each input separately. */
export function embeddingRoutes(app: FastifyInstance): void {
  route(app, 'POST', '/v1/embeddings', ({ body }) => {
    const { model, input, dimensions, encoding_format: format } = parseBody(EmbeddingRequest, body)
    requireModel(model)
    const tokens = input.reduce((sum, text) => sum + countTokens(text), 0)
    const data = input.map((text, index) => {
      const vector = embed(text, dimensions)
      const embedding = format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector]
      return { object: 'embedding', index, embedding }
    })
    return json({ object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } })
  })
  route(app, 'POST', '/v1/moderations', ({ body }) => {
    const { model, input } = parseBody(ModerationRequest, body)
    requireModel(model)
    return json({ id: sampleId('modr-', input.join('\n')), model, results: input.map(moderate) })
  })
}
