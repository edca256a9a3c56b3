import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server as TcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { product } from '#schemas/product.ts'
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

/** How long a server that stops waits for requests that are on their way on connections that it has. */
const lastRequestsMs = 250

/** Stands on each connection: a table beside them would be written to for every request. */
const lastAnswer = Symbol('last answer')
interface AnsweredSocket extends Duplex {
  [lastAnswer]?: ServerResponse
}

function endUnlessReused(socket: AnsweredSocket, response: ServerResponse): void {
  if (socket[lastAnswer] === response) socket.end()
}

/** How long a sender may take: for its headers, and for all of a request. */
export interface SenderPatience {
  headersTimeoutMs?: number
  requestTimeoutMs?: number
}

/**
 * The one HTTP server of a process. Every request has a UUIDv7 as its id: it is the id of the log, the
 * `x-request-id` of the answer and the `requestId` of the service's own log.
 */
export function createHttpServer(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  logger: Logger,
  { headersTimeoutMs = 20 * second, requestTimeoutMs = 300 * second }: SenderPatience = {},
): FastifyInstance {
  const connections = new Connections()
  /** An answer that began before the server stops has not said that it is the last one: its connection would idle. */
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
    // An address that the router can't read; its own answer would repeat it.
    frameworkErrors: (_error, request, reply) => {
      if (request.raw.url?.startsWith(product.proxyPath)) {
        reply.hijack()
        return refuseRequest(reply.raw, 400)
      }
      const details = new Problem('invalid-request').toDetails(request.id)
      const answer: FastifyReply = reply.code(400 as never)
      void answer.type('application/problem+json').serializer(JSON.stringify).send(details)
    },
    clientErrorHandler: () => undefined,
    serverFactory(handle) {
      const guarded = (request: IncomingMessage, response: ServerResponse) => {
        const socket: AnsweredSocket = request.socket
        connections.used(socket)
        socket[lastAnswer] = response
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
      // All headers are seen and counted; Node would drop those beyond its own limit without a word.
      server.maxHeadersCount = 0
      // Who waits to be told to go on is first looked at: a request that is refused never sends its body.
      server.on('checkContinue', guarded)
      server.on('checkExpectation', (_request, response) => refuseRequest(response, 417))
      server.on('clientError', (error, socket: AnsweredSocket) => refuseUnreadable(error, socket, socket[lastAnswer]))
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
 * Refuses new connections at once, so that who balances goes elsewhere, before those that idle are ended: on each of them
 * a request may be under way already. Its answer ends the connection.
 */
async function drain({ server, openConnections }: FastifyInstance): Promise<void> {
  openConnections.areClosing = true
  // Those that wait to be accepted would be reset: the second turn of the event loop begins by taking them in.
  for (let turn = 0; turn < 2; turn += 1) await nextTurn()
  // That of an HTTP server would end connections that idle as well.
  if (server.listening) TcpServer.prototype.close.call(server)
  await sleep(lastRequestsMs)
  openConnections.endUnused()
  server.closeIdleConnections()
}

/**
 * Takes no more requests, and waits for those that are under way.
 * @param drainMs how long; what is under way then is cut off
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
