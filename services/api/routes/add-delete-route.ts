import type { FastifyBaseLogger } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireFound } from '#core/problem.ts'
import type { AuditSource } from '#store/postgres/audit.ts'
import { auditSourceOf } from '../sign-in/client-address.ts'
import { IdParams } from './id-params.ts'

/** Deletes one entry of an account's list. */
export function addDeleteRoute(
  app: Parameters<FastifyPluginAsyncZod>[0],
  path: `${string}/:id`,
  summary: string,
  remove: (accountId: string, id: string, by: AuditSource, log: FastifyBaseLogger) => Promise<boolean>,
): void {
  app.delete(path, { schema: { summary, params: IdParams, response: { 204: z.null() } } }, async (request, reply) => {
    requireFound(await remove(request.user.id, request.params.id, auditSourceOf(request), request.log))
    return reply.code(204).send(null)
  })
}
