import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from '#core/http/send-problem.ts'
import { Problem } from '#core/problem.ts'
import { type IsKnownHost, requireKnownHost } from '#core/http/known-hosts.ts'

/** Forwards all other requests to the api process, so that both roles share a port without an ingress. */
export async function addApiFallback(app: FastifyInstance, apiUrl: string, isKnownHost: IsKnownHost): Promise<void> {
  await app.register(async (fallback) => {
    requireKnownHost(fallback, isKnownHost)
    await fallback.register(httpProxy, {
      upstream: apiUrl,
      // Unlimited: a few slow clients or live tails would otherwise block all other requests.
      undici: { connections: null, pipelining: 1, allowH2: false },
      disableRequestLogging: true,
      replyOptions: {
        // By default a GET is sent ten more times to an api that is overloaded or has lost a store.
        retryDelay: () => null,
        onError: (reply, { error }) =>
          void sendProblem(reply.request, reply, new Problem('unavailable', { cause: error })),
        // undici rejects requests with `expect`, to which the server has responded by now.
        rewriteRequestHeaders: (request, { expect: _expect, ...headers }) => ({
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
