import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A provider that answers with whatever bytes a test wants. */
export interface RawUpstream {
  origin: string
  /** Heads of the requests that came, in order. */
  heads: string[]
  /** Connections that are open. */
  sockets: ReadonlySet<Socket>
  stop(): Promise<void>
}

/** @param answer called for each request head; `nth` counts from 0 over all connections */
export async function startRawUpstream(
  answer: (socket: Socket, nth: number, head: string) => void,
): Promise<RawUpstream> {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let pending = ''
    socket.on('data', (bytes) => {
      pending += bytes.toString('latin1')
      for (let request = takeRequest(pending); request; request = takeRequest(pending)) {
        pending = request.rest
        heads.push(request.head)
        answer(socket, heads.length - 1, request.head)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    sockets,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** A request whose head and declared body are there. */
function takeRequest(text: string): { head: string; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = text.slice(0, end)
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  const bodyEnd = end + 4 + length
  return text.length < bodyEnd ? undefined : { head, rest: text.slice(bodyEnd) }
}

const defaultBody = '{"ok":true}'

/** A plain JSON answer with what is given in front of its own headers. */
export const jsonAnswer = (body = defaultBody, ...headers: string[]): string =>
  [
    'HTTP/1.1 200 OK',
    ...headers,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
