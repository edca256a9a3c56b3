import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { listenLocally } from '#tools/process/listen.ts'

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536)
}

export interface ReceivedMessage {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/**
 * A local receiver: `/silent` never responds, `/endless` responds without an end, `/500` and the like respond with that
 * status. `/suspending` blocks the event loop of this process for a second once it has responded.
 */
export async function startWebhookReceiver() {
  const messages: ReceivedMessage[] = []
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    messages.push({ path, headers: request.headers, body: await text(request) })
    if (path === '/silent') return
    if (path === '/endless') return void pipeline(endless(), response).catch(() => undefined)
    if (path === '/suspending')
      response.once('finish', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000))
    response.writeHead(Number(/^\/(\d{3})$/.exec(path)?.[1] ?? 204), { location: '/elsewhere' }).end()
  }

  const server = createServer((request, response) => {
    void receive(request, response)
  })
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    messages,
    /** Of senders that are still connected. */
    connections: () => promisify(server.getConnections.bind(server))(),
    hangUp: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
