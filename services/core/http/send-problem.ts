import type { FastifyReply, RawServerBase, RawServerDefault, RouteGenericInterface } from 'fastify'
import type { Problem } from '#core/problem.ts'

const mediaType = 'application/problem+json; charset=utf-8'

/** Responds as RFC 9457 says. */
export function sendProblem<Server extends RawServerBase = RawServerDefault>(
  { id }: { id: string },
  reply: FastifyReply<RouteGenericInterface, Server>,
  problem: Problem,
) {
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  return reply.code(problem.status).type(mediaType).serializer(JSON.stringify).send(problem.toDetails(id))
}
