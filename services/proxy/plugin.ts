import type { FastifyPluginCallback } from 'fastify'
import { product } from '#schemas/product.ts'
import { createServe, type ServeOptions } from './serve.ts'

/** The data plane's routes. fastify only routes: bodies never pass through its parsers. */
export const proxyPlugin: FastifyPluginCallback<ServeOptions> = (app, options, done) => {
  const serve = createServe(options)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
  app.all(`${product.proxyPath}/v1/*`, (request, reply) => {
    reply.hijack()
    void serve({ id: request.id, request: request.raw, response: reply.raw, clientAddress: request.ip })
  })
  done()
}
