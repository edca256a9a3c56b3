import type { FastifyPluginCallback, onRequestHookHandler } from 'fastify'
import { product } from '#schemas/product.ts'
import { createServe, type ServeOptions } from './serve.ts'

/** The data plane's routes. fastify only routes: a request leaves it before anything of its body is looked at. */
export const proxyPlugin: FastifyPluginCallback<ServeOptions> = (app, options, done) => {
  const serve = createServe(options)
  // A logger for each request costs more than finding its route; the exchange logs with the request's id itself.
  app.setChildLoggerFactory((logger) => logger)
  const onRequest: onRequestHookHandler = (request, reply) => {
    reply.hijack()
    void serve({ id: request.id, request: request.raw, response: reply.raw, clientAddress: request.ip })
  }
  app.all(`${product.proxyPath}/v1/*`, { onRequest }, () => undefined)
  done()
}
