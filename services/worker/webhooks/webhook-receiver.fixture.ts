import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenLocally } from '#tools/process/listen.ts'

export interface ReceivedMessage {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A local receiver: `/silent` never responds, `/500` and the like respond with that status. */
export async function startWebhookReceiver() {
  const messages: ReceivedMessage[] = []
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    messages.push({ path, headers: request.headers, body: await text(request) })
    if (path === '/silent') return
    response.writeHead(Number(/^\/(\d{3})$/.exec(path)?.[1] ?? 204), { location: '/elsewhere' }).end()
  }

  const server = createServer((request, response) => {
    void receive(request, response)
  })
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    messages,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
