import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { json, type Answer } from '#tools/sample-provider/answer.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { sampleId } from './text.ts'

const Part = z.looseObject({ type: z.string(), text: z.string().optional() })

const ModerationRequest = z.looseObject({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(z.string()), z.array(Part)]),
})

/** The words that the sample provider takes for each category; the other categories are never flagged. */
const wordsByCategory: Record<string, RegExp | null> = {
  harassment: /\b(idiot|stupid)\b/i,
  'harassment/threatening': null,
  hate: /\bhate\b/i,
  'hate/threatening': null,
  illicit: null,
  'illicit/violent': null,
  'self-harm': null,
  'self-harm/instructions': null,
  'self-harm/intent': null,
  sexual: null,
  'sexual/minors': null,
  violence: /\b(kill|murder|attack)\b/i,
  'violence/graphic': null,
}

const moderate = (text: string) => {
  const found = Object.entries(wordsByCategory).map(([name, pattern]) => [name, pattern?.test(text) ?? false] as const)
  return {
    flagged: found.some(([, flagged]) => flagged),
    categories: Object.fromEntries(found),
    category_scores: Object.fromEntries(found.map(([name, flagged]) => [name, flagged ? 0.98 : 0.0001])),
    category_applied_input_types: Object.fromEntries(found.map(([name]) => [name, ['text']])),
  }
}

export const answerModeration = (body: unknown): Answer => {
  const { model: named, input } = parseBody(ModerationRequest, body)
  const model = named ?? 'omni-moderation-latest'
  requireModel(model)
  const items = typeof input === 'string' ? [input] : input
  const strings = items.flatMap((item) => (typeof item === 'string' ? [item] : []))
  // Parts of one multimodal input get one result together; texts get one each.
  const parts = items.flatMap((item) => (typeof item === 'string' ? [] : [item.text ?? '']))
  const texts = parts.length > 0 ? [parts.join('\n')] : strings
  return json({ id: sampleId('modr-', texts.join('\n')), model, results: texts.map(moderate) })
}

export const moderationRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/moderations', ({ body }) => answerModeration(body))
}
