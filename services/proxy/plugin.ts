import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyPluginCallback } from 'fastify'
import { product } from '#schemas/product.ts'
import type { Logger } from '#core/logger.ts'
import { Exchange, type Recorder } from './exchange.ts'
import type { Caller, PrincipalCache } from './principal-cache.ts'
import { refuse } from './refusals.ts'
import { BodyTooLargeError, readBody } from './request-body.ts'
import { SpoolFullError } from './spool/spool.ts'
import { parseTarget } from './target.ts'
import type { UpstreamPools } from './upstream-pools.ts'

export interface ProxyOptions {
  principals: PrincipalCache
  pools: UpstreamPools
  recorder: Recorder
  logger: Logger
}

const bearer = /^Bearer +(\S+) *$/i

/** The data plane: authenticate, forward, record. fastify only routes; bodies never pass through its parsers. */
export const proxyPlugin: FastifyPluginCallback<ProxyOptions> = (app, options, done) => {
  const serve = createServe(options)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
  app.all(`${product.proxyPath}/v1/*`, (request, reply) => {
    reply.hijack()
    void serve(request.id, request.raw, reply.raw)
  })
  done()
}

function createServe({ principals, pools, recorder, logger }: ProxyOptions) {
  /** Whose request this is; answers it when nobody's. */
  async function authenticate(id: string, request: IncomingMessage, response: ServerResponse) {
    const sent = request.headersDistinct.authorization ?? []
    if (sent.length > 1) return refuse(response, 'ambiguous_credentials', id)
    const token = bearer.exec(sent[0] ?? '')?.[1]
    if (token === undefined) return refuse(response, 'missing_token', id)
    let caller: Caller | null | undefined = principals.peek(token)
    if (caller === undefined) caller = await principals.find(token)
    return caller ?? refuse(response, 'invalid_token', id)
  }

  return async (id: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const caller = await authenticate(id, request, response)
      if (!caller) return
      const target = parseTarget(request.url ?? '')
      if (!target) return refuse(response, 'invalid_path', id)
      const body = await readBody(request)
      const exchange = new Exchange({ id, request, response, caller, target, body, recorder })
      const [key] = caller.keys
      if (!key) return exchange.refuse('no_active_key')
      exchange.forward(pools.get(caller.accountId, new URL(caller.baseUrl).origin), key)
    } catch (error) {
      if (response.destroyed || response.headersSent) return void response.destroy()
      if (error instanceof BodyTooLargeError) return refuse(response, 'body_too_large', id)
      if (!(error instanceof SpoolFullError)) logger.error({ err: error, requestId: id }, 'a request failed')
      refuse(response, 'unavailable', id)
    }
  }
}
