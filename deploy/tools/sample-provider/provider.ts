import multipart from '@fastify/multipart'
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { createKeyCheck, ProviderError } from './errors.ts'
import { createFailureCount, readFaults } from './faults.ts'
import { fileRoutes } from './files.ts'
import { mediaRoutes, transcriptionRoutes } from './media.ts'
import { modelRoutes } from './models.ts'
import { receive, receivedOf, requestDecorator, type RequestRecord } from './received-request.ts'
import { parseJson, unsupportedType } from './route.ts'
import { respond, sendError, toProviderError } from './send.ts'
import { chatRoutes } from './text/chat.ts'
import { completionRoutes } from './text/completions.ts'
import { embeddingRoutes } from './text/embeddings.ts'
import { responseRoutes } from './text/responses.ts'

const bodyLimitBytes = 64 * 2 ** 20
const fileLimitBytes = 256 * 2 ** 20

export interface ProviderOptions {
  /**
   * Accepted keys; controls may follow a key after a dot. Default: any that starts with `sk-`, but not with `sk-bad`.
   */
  apiKeys?: readonly string[]
  /** Maximum number of records in `received`. */
  recordLimit?: number
}

export type Provider = FastifyInstance & { readonly received: readonly RequestRecord[] }

/** An OpenAI-shaped server. Listen with `provider.listen({ port: 0 })`; `provider.received` lists its requests. */
export function createProvider({ apiKeys, recordLimit = 10_000 }: ProviderOptions = {}): Provider {
  const app = fastify({ bodyLimit: bodyLimitBytes, forceCloseConnections: true })
  const received: RequestRecord[] = []
  const checkKey = createKeyCheck(apiKeys)
  const applyFailures = createFailureCount()

  app.decorateRequest(requestDecorator, null)
  app.addHook('onRequest', (request, reply, done) => {
    const one = receive(request, reply)
    const { record } = one
    request.setDecorator(requestDecorator, one)
    // The oldest are dropped a tenth at a time, because single shifts are slow.
    if (received.length >= recordLimit) received.splice(0, Math.ceil(recordLimit / 10))
    if (recordLimit > 0) received.push(record)
    try {
      if (request.url.startsWith('/v1/')) checkKey(record.key)
      one.faults = applyFailures(readFaults(request.headers, record.key), record.key)
      done()
    } catch (error) {
      done(toProviderError(error))
    }
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    receivedOf(request).record.bodyBytes = body.length
    return parseJson(body)
  })
  app.addContentTypeParser('*', async (request: FastifyRequest): Promise<never> => {
    throw unsupportedType(request.headers['content-type'])
  })
  app.setErrorHandler((error, request, reply) => {
    reply.hijack()
    return sendError(receivedOf(request), error)
  })
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    return respond(receivedOf(request), () => {
      throw new ProviderError(404, `Invalid URL (${request.method} ${request.url.split('?', 1)[0]})`)
    })
  })

  for (const addRoutes of [chatRoutes, completionRoutes, responseRoutes, embeddingRoutes, mediaRoutes, modelRoutes])
    addRoutes(app)
  // In a separate scope, because the multipart parser adds hooks to every request in its scope.
  app.register(async (scope) => {
    await scope.register(multipart, { limits: { files: 1, fields: 50, fileSize: fileLimitBytes } })
    transcriptionRoutes(scope)
    fileRoutes(scope)
  })
  return Object.assign(app, { received })
}
