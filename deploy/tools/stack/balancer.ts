import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenLocally } from '#tools/process/listen.ts'

export interface Balancer {
  url: string
  /** Sends no new requests to that proxy. Resolves when its running requests have ended. */
  drain(port: number): Promise<void>
  /** Sends requests to that proxy again. */
  restore(port: number): void
  close(): Promise<void>
}

interface Backend {
  port: number
  isDrained: boolean
  running: Set<ServerResponse>
}

const keepAliveMs = 60_000

/**
 * Starts a round-robin load balancer, which uses a new connection for each request. If a proxy rejects the connection,
 * the next one is tried; no request is sent twice.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const backends = new Map(
    ports.map((port): [number, Backend] => [port, { port, isDrained: false, running: new Set() }]),
  )
  let turn = 0

  /** @returns the backends in the order to try them; the first one rotates */
  function inTurn(): Backend[] {
    const serving = [...backends.values()].filter(({ isDrained }) => !isDrained)
    turn = (turn + 1) % serving.length
    return [...serving.slice(turn), ...serving.slice(0, turn)]
  }

  const server = createServer((request, response) => {
    buffer(request).then(
      (body) => forward(request, body, response, inTurn()),
      () => response.destroy(),
    )
  })
  // Longer than the client's: a connection that closes just as a request arrives would lose it.
  server.keepAliveTimeout = keepAliveMs
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    async drain(port) {
      const backend = backends.get(port)
      if (!backend) return
      backend.isDrained = true
      await Promise.all([...backend.running].map((response) => once(response, 'close')))
    },
    restore(port) {
      const backend = backends.get(port)
      if (backend) backend.isDrained = false
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function forward(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  [backend, ...others]: readonly Backend[],
): void {
  if (!backend || response.destroyed) return void response.destroy()
  const { method, url: path, headers } = request
  const target = { host: '127.0.0.1', port: backend.port, agent: false }
  const upstream = send({ ...target, method, path, headers }, (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers)
    incoming.pipe(response)
    incoming.on('error', () => response.destroy())
  })
  backend.running.add(response)
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    backend.running.delete(response)
    if (error.code === 'ECONNREFUSED') forward(request, body, response, others)
    else response.destroy()
  })
  response.on('close', () => {
    backend.running.delete(response)
    upstream.destroy()
  })
  upstream.end(body)
}
