import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance } from 'fastify'
import { type IsKnownHost, requireKnownHost } from '#core/http/known-hosts.ts'

/**
 * Passes everything that is not for the provider on to the api process, so that one port serves it all. Behind an
 * ingress that routes by path this is not needed. A connection is taken for as long as a client takes to send and to
 * read, so each request has one of its own: with a limit, a few slow clients or log tails would keep all others out.
 */
export async function addApiFallback(app: FastifyInstance, apiUrl: string, isKnownHost: IsKnownHost): Promise<void> {
  await app.register(async (fallback) => {
    requireKnownHost(fallback, isKnownHost)
    await fallback.register(httpProxy, {
      upstream: apiUrl,
      undici: { connections: null, pipelining: 1 },
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
  })
}
