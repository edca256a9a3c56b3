import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance } from 'fastify'

/**
 * Hands everything that is not for the provider on to the api process, so that one port serves it all. Behind an
 * ingress that routes by path this is not needed.
 */
export async function addHandOver(app: FastifyInstance, apiUrl: string): Promise<void> {
  await app.register(httpProxy, {
    upstream: apiUrl,
    undici: { connections: 64, pipelining: 1 },
    disableRequestLogging: true,
    replyOptions: {
      rewriteRequestHeaders: (request, headers) => ({
        ...headers,
        host: request.host,
        'x-forwarded-for': request.ip,
        'x-forwarded-host': request.host,
        'x-forwarded-proto': request.protocol,
      }),
    },
  })
}
