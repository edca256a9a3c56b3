import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { json, type Answer } from '#tools/sample-provider/answer.ts'
import { ProviderError } from '#tools/sample-provider/errors.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { Prompts, countPromptTokens, promptText } from './prompts.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { hash } from './text.ts'

const EmbeddingRequest = z.looseObject({
  model: z.string(),
  input: Prompts,
  dimensions: z.number().int().min(1).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
})

const fullDimensions = (model: string): number => (model === 'text-embedding-3-large' ? 3_072 : 1_536)

/** A vector of length 1 that is a function of the text, by a xorshift generator. */
const embed = (text: string, dimensions: number): Float32Array<ArrayBuffer> => {
  const vector = new Float32Array(dimensions)
  let state = hash(text) || 1
  let squares = 0
  for (let index = 0; index < dimensions; index += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const value = state / 2 ** 31
    vector[index] = value
    squares += value * value
  }
  const length = Math.sqrt(squares)
  return vector.map((value) => value / length)
}

const toBase64 = (vector: Float32Array<ArrayBuffer>): string => Buffer.from(vector.buffer).toString('base64')

export const answerEmbedding = (body: unknown): Answer => {
  const { model, input, dimensions, encoding_format: format } = parseBody(EmbeddingRequest, body)
  requireModel(model)
  const full = fullDimensions(model)
  if (dimensions && dimensions > full) {
    throw new ProviderError(400, `Invalid value for 'dimensions': must be at most ${full}.`, { param: 'dimensions' })
  }
  const promptTokens = countPromptTokens(input)
  const data = input.map((prompt, index) => {
    const vector = embed(promptText(prompt), dimensions ?? full)
    return { object: 'embedding', index, embedding: format === 'base64' ? toBase64(vector) : Array.from(vector) }
  })
  return json({ object: 'list', data, model, usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } })
}

export const embeddingRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/embeddings', ({ body }) => answerEmbedding(body))
}
