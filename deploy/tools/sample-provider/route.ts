import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Answer } from './answer.ts'
import { respond } from './deliver.ts'
import { ProviderError } from './errors.ts'
import { exchangeOf } from './exchange.ts'
import type { Faults } from './faults.ts'

interface Call {
  body: unknown
  params: Record<string, string>
  query: unknown
  faults: Faults
  request: FastifyRequest
}

export type Handler = (call: Call) => Answer | Promise<Answer>

const Params = z.record(z.string(), z.string())

/** Answers of a resource go past fastify's reply, which can neither be cut nor slowed down. */
export const route = (app: FastifyInstance, method: 'GET' | 'POST' | 'DELETE', url: string, handler: Handler): void => {
  app.route({
    method,
    url,
    exposeHeadRoute: false,
    handler: (request, reply) => {
      reply.hijack()
      const exchange = exchangeOf(request)
      return respond(exchange, () =>
        handler({
          body: request.body,
          params: url.includes(':') ? Params.parse(request.params) : {},
          query: request.query,
          faults: exchange.faults,
          request,
        }),
      )
    },
  })
}

const formatPath = (path: PropertyKey[]): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`)).join('')

const isMissing = (input: unknown, path: PropertyKey[]): boolean =>
  path.reduce((value, key) => (value instanceof Object ? Reflect.get(value, key) : undefined), input) === undefined

const bodyMessage =
  "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, please contact us through our help center at help.openai.com.)"

export const parseJson = (body: Buffer): unknown => {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new ProviderError(400, bodyMessage)
  }
}

/** The body as its schema says, or the 400 that OpenAI would answer. */
export const parseBody = <Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> => {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path ?? []
  const param = formatPath(path)
  if (param === '') throw new ProviderError(400, bodyMessage)
  if (!isMissing(input, path)) {
    throw new ProviderError(400, `Invalid value for '${param}': ${issue?.message}.`, { param, code: 'invalid_value' })
  }
  if (param === 'model') throw new ProviderError(400, 'you must provide a model parameter')
  throw new ProviderError(400, `Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' })
}
