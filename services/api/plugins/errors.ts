import type { FastifyError } from 'fastify'
import fp from 'fastify-plugin'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sendProblem } from '#core/http/send-problem.ts'
import { Problem } from '#core/problem.ts'
import { LimitExceededError } from '#core/limits/shared-limit.ts'
import type { ProblemCode } from '#schemas/problems.ts'

/** Errors of fastify and the stores that the client can resolve. */
const codeByError: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  // Postgres: text that its encoding can't represent, such as NUL or half of a surrogate pair.
  '22021': 'invalid-request',
  '22P02': 'invalid-request',
  '22P05': 'invalid-request',
  // Postgres: deadlock with another request.
  '40P01': 'conflict',
  // Postgres: a referenced row was deleted meanwhile.
  '23503': 'conflict',
  // ClickHouse: timeout of the query.
  '159': 'search-too-slow',
}

/** Error codes of drivers whose server is unavailable. */
const unavailableErrors = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  // The name of a stopped container.
  'EAI_AGAIN',
  'ENOTFOUND',
  // Postgres: stopping, crashed, starting, out of connections, of disk, of memory, only reading (after a failover).
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53100',
  '53200',
  '25006',
  // Postgres did not finish a statement in time.
  '57014',
  // PgBouncer gives no other code: a timeout, too many clients, a server that rejects it.
  '08P01',
  'ECONNRESET',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
])

/** Responds to every error with problem+json from the catalogue; texts of unexpected errors are only logged. */
export const errorHandler = fp(
  async (app) => {
    app.setErrorHandler((error: FastifyError, request, reply) => {
      const problem = toProblem(error)
      if (problem.status >= 500) request.log.error({ err: error }, 'a request failed')
      return sendProblem(request, reply, problem)
    })
  },
  { name: 'error-handler' },
)

/** A body may consist of wrong fields. */
const maxErrors = 20

/** An issue about unknown fields lists them in its parameters, not in its path. */
const UnknownFields = z.object({ keys: z.array(z.string()) })

function toProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  if (error instanceof LimitExceededError) {
    const code = error.scope === 'account' ? 'too-many-requests' : 'unavailable'
    return new Problem(code, { retryAfterSeconds: 1, cause: error })
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation
      .slice(0, maxErrors)
      .flatMap(({ instancePath, message = '', params }) => {
        const unknown = UnknownFields.safeParse(params).data?.keys
        // The message would repeat all of them for each one.
        if (unknown) return unknown.map((field) => ({ field, message: `Unrecognized key: "${field}"` }))
        return [{ field: instancePath.split('/').filter(Boolean).join('.'), message }]
      })
      .slice(0, maxErrors)
    return new Problem('invalid-request', { detail: errors[0]?.message, errors, cause: error })
  }
  if (unavailableErrors.has(error.code)) return new Problem('unavailable', { cause: error })
  if (isAccountDeleted(error)) return new Problem('unauthorized', { cause: error })
  const code =
    codeByError[error.code] ?? (error.statusCode && error.statusCode < 500 ? 'invalid-request' : 'internal-error')
  return new Problem(code, { cause: error })
}

/** Postgres: the account was deleted meanwhile. The excluded constraint references a second factor, not an account. */
const isAccountDeleted = (error: FastifyError & { constraint_name?: string }) =>
  error.code === '23503' &&
  (error.constraint_name?.endsWith('_account_id_fkey') ?? false) &&
  error.constraint_name !== 'recovery_codes_account_id_fkey'
