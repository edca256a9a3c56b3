import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Balancer {
  url: string
  close(): Promise<void>
}

/**
 * What an operator has in front of several proxies: requests go to them in turn, each on a connection of its own. A
 * proxy that refuses the connection is going away: then another one is tried. Nothing is ever sent twice.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let turn = 0

  /** All of them, each time another one first. */
  function inTurn(): number[] {
    turn = (turn + 1) % ports.length
    return [...ports.slice(turn), ...ports.slice(0, turn)]
  }

  const server = createServer((request, response) => {
    buffer(request).then(
      (body) => forward(request, body, response, inTurn()),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** @param ports in the order in which they are tried */
function forward(request: IncomingMessage, body: Buffer, response: ServerResponse, [port, ...others]: number[]): void {
  const { method, url: path, headers } = request
  const upstream = send({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' && others.length > 0) forward(request, body, response, others)
    else response.destroy()
  })
  response.on('close', () => upstream.destroy())
  upstream.end(body)
}
