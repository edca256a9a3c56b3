import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { product } from '#schemas/product.ts'
import { type ErrorCode, sendError } from './response/error-responses.ts'
import { createRequestHandler, type RequestHandlerOptions } from './handle-request.ts'

/**
 * The data plane's routes. fastify only routes: requests are taken before it looks at their bodies
 * or content types.
 */
export const proxyPlugin: FastifyPluginCallback<RequestHandlerOptions> = (app, options, done) => {
  const handle = createRequestHandler(options)
  // A logger for each request costs more than finding its route, and nothing here writes to it.
  app.setChildLoggerFactory((logger) => logger)
  const take = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    void handle({ id: request.id, request: request.raw, response: reply.raw })
  }
  app.all(`${product.proxyPath}/v1/*`, { onRequest: take }, unreachable)
  // Everything else below the prefix is the control plane's: its configuration and its test call.
  app.register(
    (unrouted, _options, ready) => {
      unrouted.setNotFoundHandler(rejectWith('method_not_allowed'))
      ready()
    },
    { prefix: `${product.proxyPath}/v1/` },
  )
  done()
}

const rejectWith = (code: ErrorCode) => (request: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  sendError(reply.raw, code, request.id)
}

/** fastify wants a handler, yet what is hijacked before never comes to one. */
const unreachable = () => undefined
