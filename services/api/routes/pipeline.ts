import { z } from 'zod'
import { Problem, requireFound } from '#core/problem.ts'
import { DeadLetter, DeadLetterDetails, Pipeline, PipelineQuery } from '#schemas/pipeline.ts'
import type { DeadLetters } from '#store/redis/dead-letters.ts'
import type { PipelineStore } from '#store/clickhouse/pipeline.ts'
import { signedInRoutes } from '../plugins/session.ts'

const LetterParams = z.object({ id: z.string().max(200) })
const Page = z.strictObject({
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

const operatorsText = 'Only for operators of this server; others get 404.'

type PipelineRouteOptions = { pipeline: PipelineStore; deadLetters: DeadLetters }

/** The pipeline of the whole installation; 404 for everyone except operators. */
export const pipelineRoutes = signedInRoutes<PipelineRouteOptions>(async (app, { pipeline, deadLetters }) => {
  app.addHook('onRequest', async ({ user }) => {
    if (!user.isOperator) throw new Problem('not-found')
  })

  app.get(
    '/api/pipeline',
    {
      schema: {
        summary: 'Get the state of the log pipeline',
        description: operatorsText,
        querystring: PipelineQuery,
        response: { 200: Pipeline },
      },
    },
    ({ query: { from, to } }) => pipeline.read(from && to ? { from, to } : undefined),
  )

  app.get(
    '/api/pipeline/dead-letters',
    {
      schema: {
        summary: 'List dead letters, oldest first',
        description: operatorsText,
        querystring: Page,
        response: { 200: z.array(DeadLetter) },
      },
    },
    ({ query }) => deadLetters.list(query),
  )

  app.get(
    '/api/pipeline/dead-letters/:id',
    {
      schema: {
        summary: 'Get a dead letter with its events',
        description: operatorsText,
        params: LetterParams,
        response: { 200: DeadLetterDetails },
      },
    },
    async ({ params }) => requireFound(await deadLetters.get(params.id)),
  )

  for (const [method, url, act, summary] of [
    ['POST', '/api/pipeline/dead-letters/:id/replay', 'requeue', 'Put a dead letter back into the pipeline'],
    ['DELETE', '/api/pipeline/dead-letters/:id', 'drop', 'Delete a dead letter permanently'],
  ] as const) {
    app.route({
      method,
      url,
      schema: { summary, description: operatorsText, params: LetterParams, response: { 204: z.null() } },
      async handler({ params }, reply) {
        requireFound(await deadLetters[act](params.id))
        return reply.code(204).send(null)
      },
    })
  }
})
