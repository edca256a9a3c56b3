import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { version } from '../version.ts'

export const Needs = z.record(z.string(), z.enum(['ok', 'unavailable']))
export type Needs = z.infer<typeof Needs>

/** Health of one process, or of all that share a port. */
export const Health = z.object({
  /** Reasons why it has not started, one sentence each. */
  problems: z.array(z.string()),
  needs: Needs,
  isReady: z.boolean(),
})
export type Health = z.infer<typeof Health>

export function mergeHealth(all: readonly Health[]): Health {
  const needs: Needs = {}
  for (const health of all) {
    for (const [name, state] of Object.entries(health.needs)) if (needs[name] !== 'unavailable') needs[name] = state
  }
  const problems = [...new Set(all.flatMap((health) => health.problems))]
  return { problems, needs, isReady: all.every(({ isReady }) => isReady) }
}

const Alive = z.object({ status: z.literal('ok'), version: z.string() })
const Started = z.object({ status: z.enum(['ok', 'starting']), problems: Health.shape.problems })
const Ready = z.object({ status: z.enum(['ok', 'degraded', 'starting', 'unavailable', 'draining']), needs: Needs })

/**
 * `/startupz`: 200 once everything that the roles need has worked. `/readyz`: 200 while requests can be served, with
 * the state of each need. `/healthz`: 200 while the event loop runs.
 */
export function addHealthRoutes(app: FastifyInstance, isDraining: () => boolean, read: () => Promise<Health>): void {
  app.get('/healthz', { schema: { response: { 200: Alive } } }, () => ({ status: 'ok', version }))
  app.get('/startupz', { schema: { response: { 200: Started, 503: Started } } }, async (_request, reply) => {
    const { problems } = await read()
    const hasStarted = problems.length === 0
    return reply.code(hasStarted ? 200 : 503).send({ status: hasStarted ? 'ok' : 'starting', problems })
  })
  app.get('/readyz', { schema: { response: { 200: Ready, 503: Ready } } }, async (_request, reply) => {
    const health = await read()
    const status = isDraining() ? 'draining' : readyStatus(health)
    const isReady = status === 'ok' || status === 'degraded'
    return reply.code(isReady ? 200 : 503).send({ status, needs: health.needs })
  })
}

function readyStatus({ problems, needs, isReady }: Health): z.infer<typeof Ready>['status'] {
  if (problems.length > 0) return 'starting'
  if (!isReady) return 'unavailable'
  return Object.values(needs).includes('unavailable') ? 'degraded' : 'ok'
}
