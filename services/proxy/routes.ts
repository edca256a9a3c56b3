import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { product } from '#schemas/product.ts'
import { createRequestHandler, type RequestHandlerOptions } from './handle-request.ts'
import { handleMaxForwards } from './request/max-forwards.ts'
import { createCors } from './response/cors.ts'
import { sendError } from './response/error-responses.ts'

interface ProxyPluginOptions extends RequestHandlerOptions {
  corsOrigins: readonly string[]
}

/** Fastify only does the routing: requests are hijacked before it reads their bodies or content types. */
export const proxyPlugin: FastifyPluginCallback<ProxyPluginOptions> = (app, { corsOrigins, ...options }, done) => {
  const handle = createRequestHandler(options)
  const cors = createCors(corsOrigins)
  // A child logger per request costs more than routing, and is unused.
  app.setChildLoggerFactory((logger) => logger)
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    if (cors(request.raw, reply.raw) || handleMaxForwards(request.raw, reply.raw)) return
    void handle({ id: request.id, request: request.raw, response: reply.raw })
  }
  app.all(`${product.proxyPath}/v1/*`, { onRequest }, unreachable)
  // Other paths under the proxy's prefix belong to the control plane.
  app.register(
    (unrouted, _options, ready) => {
      unrouted.setNotFoundHandler((request, reply) => {
        reply.hijack()
        sendError(reply.raw, 'method_not_allowed', request.id)
      })
      ready()
    },
    { prefix: `${product.proxyPath}/v1/` },
  )
  done()
}

/** Fastify requires a handler, but never calls it for a hijacked request. */
const unreachable = () => undefined
