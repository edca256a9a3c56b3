import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import httpProxy from '@fastify/http-proxy'
import type { FastifyInstance } from 'fastify'
import { buildConnector } from 'undici'
import { sendProblem } from '#core/http/send-problem.ts'
import { Problem } from '#core/problem.ts'
import { type IsKnownHost, requireKnownHost } from '#core/http/known-hosts.ts'
import { drainBriefly } from './request/drain-briefly.ts'
import { readDespiteFailedWrites } from './request/early-response.ts'

const connect = buildConnector({ allowH2: false })

/** The api may respond to an upload before it has read all of it, and close the connection. */
const connectPatiently: typeof connect = (options, callback) =>
  connect(options, (...result) => {
    const [, socket] = result
    if (socket) readDespiteFailedWrites(socket)
    callback(...result)
  })

/** Otherwise undici would destroy the request itself when its response comes early, and the client would wait in vain. */
function detach(upload: IncomingMessage, response: ServerResponse): PassThrough {
  const body = new PassThrough()
  body.on('error', () => undefined)
  upload.once('error', (error) => body.destroy(error))
  // Also if this server rejected the upload, and nothing reads the body.
  response.once('close', () => {
    body.destroy()
    drainBriefly(upload)
  })
  return upload.pipe(body)
}

/** Forwards all other requests to the api process, so that both roles share a port without an ingress. */
export async function addApiFallback(app: FastifyInstance, apiUrl: string, isKnownHost: IsKnownHost): Promise<void> {
  await app.register(async (fallback) => {
    requireKnownHost(fallback, isKnownHost)
    fallback.addHook('preParsing', async ({ method, raw }, reply) => (method === 'GET' ? raw : detach(raw, reply.raw)))
    // The rest of an upload is read after the response.
    fallback.addHook('onSend', async (_request, reply) => void reply.removeHeader('connection'))
    await fallback.register(httpProxy, {
      upstream: apiUrl,
      // Unlimited: a few slow clients or live tails would otherwise block all other requests.
      undici: {
        connections: null,
        pipelining: 1,
        allowH2: false,
        connect: connectPatiently,
      },
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
