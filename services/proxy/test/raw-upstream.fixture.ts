import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { listenLocally } from '#tools/process/listen.ts'

/** Called for each request head; `nth` counts from 0 over all connections. */
export type Respond = (socket: Socket, nth: number, head: string) => void

/** A provider that responds with the test's bytes, by default some JSON. */
export async function startRawUpstream(respond: Respond = (socket) => socket.write(jsonResponse())) {
  /** Heads of the requests, in order. */
  const heads: string[] = []
  /** Open connections. */
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let pending = ''
    /** How much has to be pending before the next look at it. */
    let nextLength = 1
    socket.on('data', (bytes) => {
      pending += bytes.toString('latin1')
      // Searching all of a large body at each of its chunks would take seconds.
      while (pending.length >= nextLength) {
        const request = takeRequest(pending)
        nextLength = request.length
        if (request.head === undefined) return
        pending = request.rest
        heads.push(request.head)
        respond(socket, heads.length - 1, request.head)
      }
    })
  })
  return {
    origin: `http://127.0.0.1:${await listenLocally(server)}`,
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

/** A request once its head and its declared body have arrived; `length` is that of the text for the next look. */
function takeRequest(text: string): { head: string; rest: string; length: 1 } | { head?: undefined; length: number } {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return { length: text.length + 1 }
  const head = text.slice(0, end)
  const bodyEnd = end + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  return text.length < bodyEnd ? { length: bodyEnd } : { head, rest: text.slice(bodyEnd), length: 1 }
}

/** The head of a 200 response. */
export const okHead = (...headers: string[]): string => `${['HTTP/1.1 200 OK', ...headers].join('\r\n')}\r\n\r\n`

/** A chunk of a body with `transfer-encoding: chunked`; an empty one is the last. */
export const chunk = (bytes: string | Buffer): Buffer =>
  Buffer.concat([`${Buffer.byteLength(bytes).toString(16)}\r\n`, bytes, '\r\n'].map((part) => Buffer.from(part)))

/** A JSON response, with additional headers before its own. */
export const jsonResponse = (body = '{"ok":true}', ...headers: string[]): string =>
  okHead(...headers, 'content-type: application/json', `content-length: ${Buffer.byteLength(body)}`) + body
