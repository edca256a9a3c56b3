import multipart from '@fastify/multipart'
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify'
import { createKeyCheck, readKey } from './auth.ts'
import { chatRoutes } from './text/chat.ts'
import { completionRoutes } from './text/completions.ts'
import { deliverError, respond, toProviderError } from './deliver.ts'
import { embeddingRoutes } from './text/embeddings.ts'
import { ProviderError } from './errors.ts'
import { exchangeDecorator, exchangeOf, openExchange } from './exchange.ts'
import { createFailureCount, noFaults, readFaults } from './faults.ts'
import { fileRoutes } from './files/files.ts'
import { imageRoutes } from './media/images.ts'
import { createLedger, type RequestRecord } from './ledger.ts'
import { modelRoutes } from './models.ts'
import { moderationRoutes } from './text/moderations.ts'
import { responseRoutes } from './text/responses.ts'
import { parseJson } from './route.ts'
import { speechRoutes } from './media/speech.ts'
import { transcriptionRoutes } from './media/transcriptions.ts'

const bodyLimitBytes = 64 * 2 ** 20
const fileLimitBytes = 256 * 2 ** 20

export interface ProviderOptions {
  /** Accepted keys; what follows a key's first dot are its controls. Default: any that starts with `sk-`, but not `sk-bad`. */
  apiKeys?: readonly string[]
  /** How many of the newest records `received` keeps. */
  recordLimit?: number
}

export type Provider = FastifyInstance & { readonly received: readonly RequestRecord[] }

/** An OpenAI-shaped server. Listen with `provider.listen({ port: 0 })`; `provider.received` shows what came in. */
export const createProvider = ({ apiKeys, recordLimit = 10_000 }: ProviderOptions = {}): Provider => {
  const app = fastify({ bodyLimit: bodyLimitBytes, forceCloseConnections: true })
  const ledger = createLedger(recordLimit)
  const checkKey = createKeyCheck(apiKeys)
  const applyFailures = createFailureCount()

  app.decorateRequest(exchangeDecorator, null)
  app.addHook('onRequest', (request, reply, done) => {
    const key = readKey(request.headers.authorization)
    const exchange = openExchange(request, reply, key, noFaults)
    request.setDecorator(exchangeDecorator, exchange)
    ledger.add(exchange.record)
    try {
      if (request.url.startsWith('/v1/')) checkKey(key)
      exchange.faults = applyFailures(readFaults(request.headers, key), key)
      done()
    } catch (error) {
      done(toProviderError(error))
    }
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    exchangeOf(request).record.bodyBytes = body.length
    return parseJson(body)
  })
  app.addContentTypeParser('*', async (request: FastifyRequest): Promise<never> => {
    const type = request.headers['content-type']
    throw new ProviderError(
      400,
      `Unsupported content type: '${type}'. This API method only accepts 'application/json' requests, but you specified the header 'Content-Type: ${type}'. Please try again with a supported content type.`,
      { code: 'unsupported_content_type' },
    )
  })

  app.setErrorHandler((error, request, reply) => {
    reply.hijack()
    return deliverError(exchangeOf(request), error)
  })
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    return respond(exchangeOf(request), () => {
      throw new ProviderError(404, `Invalid URL (${request.method} ${request.url.split('?', 1)[0]})`)
    })
  })

  chatRoutes(app)
  completionRoutes(app)
  responseRoutes(app)
  embeddingRoutes(app)
  imageRoutes(app)
  speechRoutes(app)
  modelRoutes(app)
  moderationRoutes(app)
  // In a scope of its own: the multipart parser adds hooks to every request that it can see.
  app.register(async (scope) => {
    await scope.register(multipart, { limits: { files: 1, fields: 50, fileSize: fileLimitBytes } })
    transcriptionRoutes(scope)
    fileRoutes(scope)
  })

  return Object.assign(app, { received: ledger.received })
}
