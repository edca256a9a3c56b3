import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterAll } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { listenLocally } from '#tools/process/listen.ts'

const usage = { input_tokens: 30, output_tokens: 12, total_tokens: 42 }

/** The response to a handshake that is rejected. */
export async function rejectionOf(client: WebSocket): Promise<IncomingMessage> {
  client.on('error', () => undefined)
  const [, response] = await once(client, 'unexpected-response')
  return response
}

/** A provider that accepts each WebSocket, and leaves the rest to the test. @returns its base URL */
export async function startSocketProvider(onPeer: (peer: WebSocket, request: IncomingMessage) => void) {
  const server = createServer()
  new WebSocketServer({ server }).on('connection', onPeer)
  return listenUntilEnd(server)
}

/** A provider that offers the Responses and Realtime APIs over WebSockets, and records what it receives. */
export async function startWebSocketProvider() {
  const handshakes: IncomingMessage[] = []
  const messages: string[] = []
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => [...protocols][0] ?? false })
  sockets.on('headers', (headers) =>
    headers.push('openai-processing-ms: 7', 'x-name: grün', 'set-cookie: a=b', 'content-length: 5'),
  )
  const server = createServer().on('upgrade', (request, socket, head) => {
    handshakes.push(request)
    const { authorization = '' } = request.headers
    if (authorization.includes('limited')) {
      const body = JSON.stringify({ error: { message: `Slow down, ${authorization}`, code: 'rate_limit_exceeded' } })
      const lines = [
        'HTTP/1.1 429 Too Many Requests',
        'Retry-After: 7',
        'X-Name: grün',
        'Content-Type: application/json',
      ]
      return void socket.end(
        `${[...lines, `Content-Length: ${body.length}`, 'Set-Cookie: a=b'].join('\r\n')}\r\n\r\n${body}`,
      )
    }
    sockets.handleUpgrade(request, socket, head, (peer) => {
      const send = (event: object) => peer.send(JSON.stringify(event))
      const isRealtime = request.url?.startsWith('/v1/realtime')
      peer.on('message', (data) => {
        messages.push(String(data))
        const { type, model = 'gpt-realtime' } = JSON.parse(String(data))
        if (type !== 'response.create') return send({ type: 'session.updated', event_id: 'e', session: {} })
        const response = { id: 'resp_1', object: 'response', model, status: 'completed', output: [], usage }
        send({ type: 'response.created', event_id: 'e', response: { ...response, status: 'in_progress', usage: null } })
        const searched = { ...response, tool_usage: { web_search: { num_requests: 1 } } }
        if (!isRealtime) return send({ type: 'response.completed', response: searched, sequence_number: 2 })
        const { model: _model, ...withoutModel } = response
        const realtimeUsage = { ...usage, input_token_details: { cached_tokens: 10 } }
        send({ type: 'response.done', event_id: 'e', response: { ...withoutModel, usage: realtimeUsage } })
      })
    })
  })
  return { baseUrl: await listenUntilEnd(server), handshakes, messages }
}

/** Serves all tests of the file. */
export async function listenUntilEnd(server: Server): Promise<string> {
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${await listenLocally(server)}`
}
