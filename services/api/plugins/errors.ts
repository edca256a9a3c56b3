import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { Problem } from '#core/problem.ts'
import { TooMuchAtOnceError } from '#core/limits/shared-limit.ts'
import type { ProblemCode } from '#schemas/problems.ts'

const mediaType = 'application/problem+json; charset=utf-8'

/** Errors of fastify and the stores that are the caller's to mend. */
const codeByError: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  // Postgres: text that its encoding can't hold, such as NUL.
  '22021': 'invalid-request',
  '22P05': 'invalid-request',
  // Postgres: two calls that waited for each other; this one made room.
  '40P01': 'conflict',
  // Postgres: what this call belongs to was removed while it was under way.
  '23503': 'conflict',
  // ClickHouse: the query ran out of its time.
  '159': 'search-too-slow',
}

/** What a driver reports when its server is away. */
const unavailableErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
])

/** Every error leaves as problem+json from the catalogue; the text of an unexpected one only goes into the log. */
export const errorHandler = fp(
  async (app) => {
    app.setErrorHandler((error: FastifyError, request, reply) => {
      const problem = toProblem(error)
      if (problem.status >= 500) request.log.error({ err: error }, 'a call failed')
      return sendProblem(request, reply, problem)
    })
  },
  { name: 'error-handler' },
)

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  return reply.code(problem.status).type(mediaType).serializer(JSON.stringify).send(problem.toDetails(request.id))
}

function toProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  if (error instanceof TooMuchAtOnceError) {
    const code = error.scope === 'account' ? 'too-many-requests' : 'unavailable'
    return new Problem(code, { retryAfterSeconds: 1, cause: error })
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.flatMap(({ instancePath, message, params }) =>
      // Unknown fields are named in the issue, not in its path.
      ((params?.keys as string[] | undefined) ?? [instancePath.split('/').filter(Boolean).join('.')]).map((field) => ({
        field,
        message: message ?? '',
      })),
    )
    return new Problem('invalid-request', { detail: errors[0]?.message, errors, cause: error })
  }
  if (unavailableErrors.has(error.code)) return new Problem('unavailable', { cause: error })
  if (isOfDeletedAccount(error)) return new Problem('unauthorized', { cause: error })
  const code =
    codeByError[error.code] ?? (error.statusCode && error.statusCode < 500 ? 'invalid-request' : 'internal-error')
  return new Problem(code, { cause: error })
}

/**
 * Postgres: a foreign key leads to an account, and this one was deleted while the call was under way. That of recovery
 * codes leads to a second factor.
 */
const isOfDeletedAccount = (error: FastifyError & { constraint_name?: string }) =>
  error.code === '23503' &&
  (error.constraint_name?.endsWith('_account_id_fkey') ?? false) &&
  error.constraint_name !== 'recovery_codes_account_id_fkey'
