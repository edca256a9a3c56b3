import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { json } from '#tools/sample-provider/answer.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'
import { sampleId } from './text.ts'

const ModerationRequest = z.looseObject({
  model: z.string().default('omni-moderation-latest'),
  input: z.union([z.string().transform((text) => [text]), z.array(z.string())]),
})

/** The word by which the sample provider recognises each category. */
const patterns = { harassment: /\bstupid\b/i, hate: /\bhate\b/i, violence: /\battack\b/i }

const moderate = (text: string) => {
  const found = Object.entries(patterns).map(([name, pattern]) => ({ name, isFlagged: pattern.test(text) }))
  return {
    flagged: found.some(({ isFlagged }) => isFlagged),
    categories: Object.fromEntries(found.map(({ name, isFlagged }) => [name, isFlagged])),
    category_scores: Object.fromEntries(found.map(({ name, isFlagged }) => [name, isFlagged ? 0.98 : 0.0001])),
  }
}

export const moderationRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/moderations', ({ body }) => {
    const { model, input } = parseBody(ModerationRequest, body)
    requireModel(model)
    return json({ id: sampleId('modr-', input.join('\n')), model, results: input.map(moderate) })
  })
}
