import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenLocally } from '#tools/process/listen.ts'

export interface Balancer {
  url: string
  /** Sends nothing new to that proxy. Resolves when what was under way has ended. */
  drain(port: number): Promise<void>
  /** Sends requests there again. */
  restore(port: number): void
  close(): Promise<void>
}

interface Backend {
  port: number
  isDrained: boolean
  underWay: Set<ServerResponse>
}

const keepAliveMs = 60_000

/**
 * What an operator has in front of several proxies: requests go to them in turn, each on a connection of its own. If a
 * proxy refuses the connection, the next one is tried. No request is sent twice.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const backends = new Map(
    ports.map((port): [number, Backend] => [port, { port, isDrained: false, underWay: new Set() }]),
  )
  let turn = 0

  /** Backends in the order in which they are tried, each time another one first. */
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
  // Longer than a client keeps a connection: one that ends just as a request comes would lose that.
  server.keepAliveTimeout = keepAliveMs
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    async drain(port) {
      const backend = backends.get(port)
      if (!backend) return
      backend.isDrained = true
      await Promise.all([...backend.underWay].map((response) => once(response, 'close')))
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
  backend.underWay.add(response)
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    backend.underWay.delete(response)
    if (error.code === 'ECONNREFUSED') forward(request, body, response, others)
    else response.destroy()
  })
  response.on('close', () => {
    backend.underWay.delete(response)
    upstream.destroy()
  })
  upstream.end(body)
}
