import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { events, json, type Answer } from '#tools/sample-provider/answer.ts'
import type { Faults } from '#tools/sample-provider/faults.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { cutPassage, sampleCreated, sampleId, samplePieces, type Passage } from './text.ts'
import { Prompts, countPromptTokens, promptText } from './prompts.ts'
import { completionUsage } from '#tools/sample-provider/usage.ts'

/** What OpenAI takes when a text completion names no limit. */
const defaultMaxTokens = 16

const CompletionRequest = z.looseObject({
  model: z.string(),
  prompt: Prompts.nullish(),
  n: z.number().int().min(1).max(128).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().int().min(0).nullish(),
  echo: z.boolean().nullish(),
})

interface Shared {
  id: string
  object: 'text_completion'
  created: number
  model: string
  system_fingerprint: string
}

const choice = (index: number, text: string, finishReason: Passage['finishReason'] | null) => ({
  text,
  index,
  logprobs: null,
  finish_reason: finishReason,
})

function* completionEvents(shared: Shared, passages: Passage[], usage: object, includeUsage: boolean) {
  const chunk = (choices: object[], chunkUsage: object | null = null) =>
    `data: ${JSON.stringify({ ...shared, choices, ...(includeUsage && { usage: chunkUsage }) })}\n\n`
  for (const [index, { pieces, finishReason }] of passages.entries()) {
    for (const piece of pieces) yield chunk([choice(index, piece, null)])
    yield chunk([choice(index, '', finishReason)])
  }
  if (includeUsage) yield chunk([], usage)
  yield 'data: [DONE]\n\n'
}

export const answerCompletion = (input: unknown, faults: Faults): Answer => {
  const request = parseBody(CompletionRequest, input)
  const { model, n, echo, stream, stream_options } = request
  requireModel(model)
  const prompts = request.prompt ?? ['<|endoftext|>']
  const texts = prompts.map(promptText)
  const maxTokens = request.max_tokens ?? faults.chunks ?? defaultMaxTokens

  const passages = texts.flatMap((text) =>
    Array.from({ length: n ?? 1 }, (_, variant): Passage => {
      const passage = cutPassage(samplePieces(text, variant, faults.chunks), maxTokens)
      return echo ? { ...passage, text: text + passage.text, pieces: [text, ...passage.pieces] } : passage
    }),
  )
  const written = passages.reduce((sum, passage) => sum + passage.tokens, 0)
  const usage = completionUsage(countPromptTokens(prompts), written)
  const shared: Shared = {
    id: sampleId('cmpl-', model + texts.join('\n')),
    object: 'text_completion',
    created: sampleCreated,
    model,
    system_fingerprint: 'fp_sample',
  }
  if (stream) return events(completionEvents(shared, passages, usage, stream_options?.include_usage === true))
  return json({
    ...shared,
    choices: passages.map(({ text, finishReason }, index) => choice(index, text, finishReason)),
    usage,
  })
}

export const completionRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/completions', ({ body, faults }) => answerCompletion(body, faults))
}
