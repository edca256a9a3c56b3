import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from '#core/config.ts'
import { codeOf } from '#core/errors.ts'
import { closeListener } from './close-listener.ts'
import { createServer } from './node-http.ts'
import { maxHeaderBytes, rejectedStatus, rejectRequest, rejectUnreadable } from './http-guard.ts'
import type { Logger } from '#core/logger.ts'
import { Problem } from '#core/problem.ts'
import { newRequestId } from './request-id.ts'
import { createRequestPace } from './request-pace.ts'
import { Connections } from './connections.ts'
import { kib, minute, second } from '#core/units.ts'

declare module 'fastify' {
  interface FastifyInstance {
    openConnections: Connections
    /** Passes requests whose URL matches to a listener, because the router takes longer than proxying may. */
    listenUnder(url: RegExp, listener: RequestListener): void
  }
}

/** How long a stopping server may take to accept the connections in its backlog. */
const backlogMs = second

/** How long a stopping server waits for requests already sent on open connections. */
const lastRequestsMs = 250

/** Bytes per second. A faster upload may take longer than other requests. */
const slowestUpload = 4 * kib

/** Stored on the socket, because writing to a map for every request would cost more. */
const lastResponse = Symbol('last response')
const bytesReadBefore = Symbol('bytes read before')
const pipelined = Symbol('pipelined')
const isUpgraded = Symbol('is upgraded')
interface UsedSocket extends Duplex {
  readonly bytesRead?: number
  [lastResponse]?: ServerResponse
  [bytesReadBefore]?: number
  /** Requests whose predecessor had no complete response yet. */
  [pipelined]?: number
  /** Whether it became a WebSocket, whose handshake has no `ServerResponse`. */
  [isUpgraded]?: boolean
}

/** Most clients wait for a response before the next request. All requests of a packet begin in one turn. */
const maxPipelined = 32

/** @returns whether the request may begin; otherwise, its connection is closed, with the previous response at the latest */
function admitPipelined(socket: UsedSocket, response: ServerResponse, previous: ServerResponse): boolean {
  const count = (socket[pipelined] ?? 0) + 1
  if (count > maxPipelined) socket.destroy()
  // The parser continues to the end of the packet even after `destroy`.
  if (socket.destroyed) return false
  socket[pipelined] = count
  response.once('close', () => (socket[pipelined] = (socket[pipelined] ?? 0) - 1))
  return previous.shouldKeepAlive
}

/** A response that began before the stop has no `connection: close`, so the client would keep the connection open. */
function endAfterResponse(socket: UsedSocket): void {
  const { [lastResponse]: response } = socket
  response?.once('finish', () => setTimeout(endUnlessReused, lastRequestsMs, socket, response))
}

function endUnlessReused(socket: UsedSocket, response: ServerResponse): void {
  if (socket[lastResponse] === response) socket.end()
}

/**
 * For a connection on which nothing moved: it may wait for a response. Node no longer calls this for WebSockets. It polls
 * the socket once more first: what arrived while this process was suspended has yet to be read.
 */
function endUnlessWaiting(socket: UsedSocket): void {
  const { bytesRead } = socket
  setImmediate(() => {
    if (socket.bytesRead !== bytesRead) return
    if (socket.writableLength > 0 || socket[lastResponse]?.writableFinished) socket.destroy()
  })
}

/**
 * A request did not arrive in time, which Node checks only once. It polls the socket once more first, too. An upload that
 * has just begun or is fast enough gets that time again.
 */
function onRequestTimeout(error: Error, socket: UsedSocket, timeoutMs: number): void {
  const { [lastResponse]: before } = socket
  const wasUploading = before?.req.complete === false
  setImmediate(() => {
    const { bytesRead = 0, [bytesReadBefore]: readBefore = 0, [lastResponse]: response } = socket
    socket[bytesReadBefore] = bytesRead
    const hasBegun = response !== before || socket[isUpgraded] === true
    if (response?.req.complete === false) {
      const isFast = bytesRead - readBefore >= (slowestUpload * timeoutMs) / second
      if (!hasBegun && !isFast) return rejectUnreadable(error, socket, response)
      const checkAgain = () => response.req.complete || onRequestTimeout(error, socket, timeoutMs)
      setTimeout(checkAgain, timeoutMs).unref()
    } else if (!hasBegun && !wasUploading) rejectUnreadable(error, socket, response)
  })
}

/** After this time, an interim response has shown whether the client is gone. */
const resetMs = 400

/**
 * A client may close its half of the connection and wait for the response. Two interim responses distinguish it from a
 * client that is gone: the first makes its machine reset the connection, the second fails. HTTP/1.0 has none.
 */
function onHalfClosed(this: UsedSocket): void {
  const response = this[lastResponse]
  if (!response || response.writableEnded || !this.writable) return
  if (response.headersSent || response.req.httpVersion === '1.0') return void this.destroy()
  response.writeProcessing()
  setTimeout(() => response.headersSent || response.writeProcessing(), resetMs).unref()
}

/** Takes the place of fastify's own compilers, which would be loaded, Ajv among them, before those of zod are set. */
const neverBuilt = (): never => {
  throw new Error('the compilers of zod were not set')
}

export interface HttpServerOptions {
  headersTimeoutMs?: number
  requestTimeoutMs?: number
  /** How long a client may leave what it was sent unread. */
  unreadTimeoutMs?: number
  /** With more than these, idle ones end. */
  maxConnections?: number
}

/** Half of the files that the process may open: a request may need a connection to the provider, too. */
function halfOfOpenFiles(): number {
  const limits = process.platform === 'linux' ? readFileSync('/proc/self/limits', 'utf8') : ''
  const [, files] = /^Max open files +(\d+)/m.exec(limits) ?? []
  return files === undefined ? Infinity : Number(files) / 2
}

/** A server that hands over only requests that cannot be misread, and looks after its connections. */
function createGuardedServer(
  handle: RequestListener,
  connections: Connections,
  { headersTimeoutMs, requestTimeoutMs, unreadTimeoutMs, maxConnections }: Required<HttpServerOptions>,
): Server {
  const guarded = (request: IncomingMessage, response: ServerResponse, status = rejectedStatus(request)) => {
    const socket: UsedSocket = request.socket
    connections.markUsed(socket)
    const { [lastResponse]: previous } = socket
    if (previous?.writableFinished === false && !admitPipelined(socket, response, previous)) return
    socket[lastResponse] = response
    // Node loses requests that arrive in the same packet as an ignored upgrade.
    if (connections.areClosing || request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    if (status === undefined) handle(request, response)
    else rejectRequest(response, status)
  }
  const server: Server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, 5 * second),
      keepAliveTimeout: 72 * second,
      // The guard requires it, except for HTTP/1.0.
      requireHostHeader: false,
      // Ignores any other upgrade: a client that offers HTTP/2 continues with HTTP/1.1.
      shouldUpgradeCallback({ headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: UsedSocket }) {
        connections.markUsed(socket)
        return (socket[isUpgraded] =
          headers.upgrade?.toLowerCase() === 'websocket' && server.listenerCount('upgrade') > 0)
      },
    },
    guarded,
  )
  let isMakingRoom = false
  /** Otherwise, connections without requests could use up the files that the process may open. */
  function makeRoom() {
    if (isMakingRoom) return
    isMakingRoom = true
    // What is ended now is closed by then.
    setImmediate(() => (isMakingRoom = false))
    connections.endUnused(0.5)
    server.closeIdleConnections()
  }
  server.on('connection', (socket) => {
    connections.add(socket)
    if (connections.count > maxConnections) makeRoom()
    // Otherwise, a WebSocket whose client has vanished would stay open forever.
    socket.setKeepAlive(true, minute)
    socket.on('end', onHalfClosed)
  })
  // By default, Node destroys the response to a client that closes its half of the connection.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Otherwise, Node would silently drop headers beyond its own limit instead of letting the guard count them.
  server.maxHeadersCount = 0
  server.setTimeout(unreadTimeoutMs, endUnlessWaiting)
  // Checked before `100 Continue`, so that the client of a rejected request never sends the body.
  server.on('checkContinue', guarded)
  server.on('checkExpectation', (request, response) => guarded(request, response, 417))
  server.on('clientError', (error, socket: UsedSocket) => {
    if (codeOf(error) === 'ERR_HTTP_REQUEST_TIMEOUT') onRequestTimeout(error, socket, requestTimeoutMs)
    else rejectUnreadable(error, socket, socket[lastResponse])
  })
  return server
}

/**
 * The HTTP server of a process. The id of a request, a UUIDv7, is also the id of its log, the `x-request-id` of the
 * response and the `requestId` of the service's own log.
 */
export function createHttpServer(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  logger: Logger,
  options: HttpServerOptions = {},
): FastifyInstance {
  const limits = {
    headersTimeoutMs: 20 * second,
    requestTimeoutMs: 300 * second,
    unreadTimeoutMs: 300 * second,
    maxConnections: halfOfOpenFiles(),
    ...options,
  }
  const connections = new Connections()
  let direct: { url: RegExp; listener: RequestListener } | undefined
  const baseLogger: FastifyBaseLogger = logger
  const app = Fastify({
    loggerInstance: baseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newRequestId,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    // Far more than any form needs: parsing and checking it blocks the event loop.
    bodyLimit: 128 * kib,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    schemaController: { compilersFactory: { buildValidator: neverBuilt, buildSerializer: neverBuilt } },
    // For a URL that the router can't parse; the default response would echo it.
    frameworkErrors: (_error, request, reply) => {
      const details = new Problem('invalid-request').toDetails(request.id)
      const response: FastifyReply = reply
      void response.code(400).type('application/problem+json').serializer(JSON.stringify).send(details)
    },
    clientErrorHandler: () => undefined,
    serverFactory: (handle) => {
      const route: RequestListener = (request, response) =>
        direct?.url.test(request.url ?? '') ? direct.listener(request, response) : handle(request, response)
      return createGuardedServer(route, connections, limits)
    },
  })
  app.decorate('openConnections', connections)
  app.decorate('listenUnder', (url, listener) => {
    direct = { url, listener }
  })
  app.addHook('preClose', () => drain(app))
  app.addHook('onRequest', createRequestPace())
  // Only now: a rejected client should never send its body. HTTP/1.0 has no interim responses.
  app.addHook('preParsing', ({ headers, raw }, reply, payload, done) => {
    if (headers.expect !== undefined && raw.httpVersionMinor !== 0) reply.raw.writeContinue()
    done(null, payload)
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  return app.withTypeProvider<ZodTypeProvider>()
}

/** Rejects new connections at once. Idle ones end later, because the client may already have sent a request on them. */
async function drain({ server, openConnections }: FastifyInstance): Promise<void> {
  openConnections.areClosing = true
  for (const socket of openConnections) endAfterResponse(socket)
  await closeListener(server, backlogMs)
  await sleep(lastRequestsMs)
  openConnections.endUnused()
  server.closeIdleConnections()
}

/** Stops accepting requests and waits for those in flight. After `drainMs`, it calls `onCut` and cuts them off. */
export async function closeServer(app: FastifyInstance, drainMs: number, onCut: () => void): Promise<void> {
  const timer = setTimeout(() => {
    onCut()
    app.openConnections.destroyAll()
  }, drainMs)
  await app.close()
  await app.openConnections.closed()
  clearTimeout(timer)
}
