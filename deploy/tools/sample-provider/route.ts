import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ProviderError } from './errors.ts'
import type { Faults } from './faults.ts'
import { receivedOf } from './received-request.ts'
import type { SampleResponse } from './response.ts'
import { respond } from './send.ts'

interface Call {
  body: unknown
  /** The id in the path; empty if there is none. */
  id: string
  query: unknown
  faults: Faults
  request: FastifyRequest
}

const Params = z.object({ id: z.string().default('') })

/** Responses bypass fastify's reply, which can't be cut or slowed down. */
export function route(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  handler: (call: Call) => SampleResponse | Promise<SampleResponse>,
): void {
  app.route({
    method,
    url,
    exposeHeadRoute: false,
    handler: (request, reply) => {
      reply.hijack()
      const received = receivedOf(request)
      const { body, query } = request
      const { id } = Params.parse(request.params)
      return respond(received, () => handler({ body, id, query, faults: received.faults, request }))
    },
  })
}

export const unsupportedType = (type = '') =>
  new ProviderError(400, `Unsupported content type: '${type}'.`, { code: 'unsupported_content_type' })

export const missingParameter = (param: string) =>
  new ProviderError(400, `Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' })

const bodyMessage = 'We could not parse the JSON body of your request.'

export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new ProviderError(400, bodyMessage)
  }
}

/** Parses the body with its schema. @throws ProviderError the 400 that OpenAI would send */
export function parseBody<Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = z.core.toDotPath(issue?.path ?? [])
  if (param === '') throw new ProviderError(400, bodyMessage)
  if (issue?.input !== undefined)
    throw new ProviderError(400, `Invalid value for '${param}': ${issue.message}.`, { param, code: 'invalid_value' })
  if (param === 'model') throw new ProviderError(400, 'you must provide a model parameter')
  throw missingParameter(param)
}
