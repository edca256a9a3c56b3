import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { requireModel } from '#tools/sample-provider/models.ts'
import { events, json } from '#tools/sample-provider/response.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import {
  completionUsage,
  countTokens,
  cutPassage,
  type Passage,
  sampleCreated,
  sampleId,
  samplePieces,
} from './text.ts'

/** OpenAI's default for text completions. */
const defaultMaxTokens = 16

const CompletionRequest = z.looseObject({
  model: z.string(),
  prompt: z.string(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().int().min(0).nullish(),
})

const choice = (text: string, finish_reason: string | null) => ({ text, index: 0, logprobs: null, finish_reason })

function* completionEvents(shared: object, { pieces, finishReason }: Passage, usage: object | undefined) {
  const chunk = (choices: object[], chunkUsage: object | null = null) =>
    `data: ${JSON.stringify({ ...shared, choices, ...(usage && { usage: chunkUsage }) })}\n\n`
  for (const piece of pieces) yield chunk([choice(piece, null)])
  yield chunk([choice('', finishReason)])
  if (usage) yield chunk([], usage)
  yield 'data: [DONE]\n\n'
}

export function completionRoutes(app: FastifyInstance): void {
  route(app, 'POST', '/v1/completions', ({ body, faults }) => {
    const { model, prompt, stream, stream_options, max_tokens } = parseBody(CompletionRequest, body)
    requireModel(model)
    const maxTokens = max_tokens ?? faults.chunks ?? defaultMaxTokens
    const passage = cutPassage(samplePieces(prompt, 0, faults.chunks), maxTokens)
    const usage = completionUsage(countTokens(prompt), passage.tokens)
    const shared = { id: sampleId('cmpl-', model + prompt), object: 'text_completion', created: sampleCreated, model }
    if (stream) return events(completionEvents(shared, passage, stream_options?.include_usage ? usage : undefined))
    return json({ ...shared, choices: [choice(passage.text, passage.finishReason)], usage })
  })
}
