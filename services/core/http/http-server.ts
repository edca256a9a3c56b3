import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from '#core/config.ts'
import { maxHeaderBytes, refusedStatus, refuseRequest, refuseUnreadable } from './http-guard.ts'
import type { Logger } from '#core/logger.ts'
import { Problem } from '#core/problem.ts'
import { newRequestId } from './request-id.ts'
import { Connections } from './connections.ts'
import { mib, second } from '#core/units.ts'

declare module 'fastify' {
  interface FastifyInstance {
    openConnections: Connections
  }
}

/** How long a stopping server waits for requests that are already on their way on open connections. */
const lastRequestsMs = 250

/** A property of the socket: a map of sockets would be written to for every request. */
const lastResponse = Symbol('last response')
interface UsedSocket extends Duplex {
  [lastResponse]?: ServerResponse
}

function endUnlessReused(socket: UsedSocket, response: ServerResponse): void {
  if (socket[lastResponse] === response) socket.end()
}

export interface HttpServerOptions {
  headersTimeoutMs?: number
  requestTimeoutMs?: number
  /** Under this path a URL that can't be parsed is answered in the provider's error format, elsewhere as problem+json. */
  providerErrorsPath?: string
}

/**
 * The one HTTP server of a process. Every request has a UUIDv7 as its id: it is the id of the log, the
 * `x-request-id` of the response and the `requestId` of the service's own log.
 */
export function createHttpServer(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  logger: Logger,
  { headersTimeoutMs = 20 * second, requestTimeoutMs = 300 * second, providerErrorsPath }: HttpServerOptions = {},
): FastifyInstance {
  const connections = new Connections()
  /** A response that began before the stop has no `connection: close`, so the client would keep the connection open. */
  function endSoon(this: ServerResponse): void {
    if (connections.areClosing) setTimeout(endUnlessReused, lastRequestsMs, this.req.socket, this)
  }
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newRequestId,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: mib,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    // A URL that the router can't parse; its own response would repeat it.
    frameworkErrors: (_error, request, reply) => {
      if (providerErrorsPath !== undefined && request.raw.url?.startsWith(providerErrorsPath)) {
        reply.hijack()
        return refuseRequest(reply.raw, 400)
      }
      const details = new Problem('invalid-request').toDetails(request.id)
      const response: FastifyReply = reply.code(400 as never)
      void response.type('application/problem+json').serializer(JSON.stringify).send(details)
    },
    clientErrorHandler: () => undefined,
    serverFactory(handle) {
      const guarded = (request: IncomingMessage, response: ServerResponse) => {
        const socket: UsedSocket = request.socket
        connections.used(socket)
        socket[lastResponse] = response
        if (connections.areClosing) response.shouldKeepAlive = false
        response.on('finish', endSoon)
        const status = refusedStatus(request)
        if (status === undefined) handle(request, response)
        else refuseRequest(response, status)
      }
      const server = createServer(
        {
          maxHeaderSize: maxHeaderBytes,
          headersTimeout: headersTimeoutMs,
          requestTimeout: requestTimeoutMs,
          connectionsCheckingInterval: Math.min(headersTimeoutMs, 5 * second),
          keepAliveTimeout: 72 * second,
          requireHostHeader: true,
        },
        guarded,
      )
      server.on('connection', (socket) => connections.add(socket))
      server.prependListener('upgrade', ({ socket }) => connections.used(socket))
      // The guard counts all headers; Node would silently drop those beyond its own limit.
      server.maxHeadersCount = 0
      // The guard comes before `100 Continue`: a rejected request never sends its body.
      server.on('checkContinue', guarded)
      server.on('checkExpectation', (_request, response) => refuseRequest(response, 417))
      server.on('clientError', (error, socket: UsedSocket) => refuseUnreadable(error, socket, socket[lastResponse]))
      return server
    },
  })
  app.decorate('openConnections', connections)
  app.addHook('preClose', () => drain(app))
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  return app.withTypeProvider<ZodTypeProvider>()
}

/**
 * Rejects new connections at once, so that a balancer goes elsewhere. Idle connections end later: a request may already
 * be on its way on each of them, and its response ends the connection.
 */
async function drain({ server, openConnections }: FastifyInstance): Promise<void> {
  openConnections.areClosing = true
  // Connections in the backlog would be reset: the second turn of the event loop begins by accepting them.
  for (let turn = 0; turn < 2; turn += 1) await nextTurn()
  // The `close` of an HTTP server would also end idle connections.
  if (server.listening) TcpServer.prototype.close.call(server)
  await sleep(lastRequestsMs)
  openConnections.endUnused()
  server.closeIdleConnections()
}

/**
 * Stops accepting requests and waits for the ones under way.
 * @param drainMs how long to wait before the rest is cut off
 * @param onCut called just before that
 */
export async function closeServer(app: FastifyInstance, drainMs: number, onCut: () => void): Promise<void> {
  const timer = setTimeout(() => {
    onCut()
    app.openConnections.destroyAll()
  }, drainMs)
  await app.close()
  await app.openConnections.gone()
  clearTimeout(timer)
}
