/**
 * The provider of the benchmarks: plain sockets, because on a small machine it must use less CPU than the targets. It
 * responds to every request with one chat completion, unless the body's `user` property has instructions: `delay=50`
 * waits that many ms, `frames=100,every=30` streams that many frames with a pause of that many ms.
 */
import { createServer, type Socket } from 'node:net'
import { responseText, doneFrame, frame, streamHead } from './upstream-response.ts'

const headEnd = Buffer.from('\r\n\r\n')
const plainResponse = Buffer.from(responseText)

interface Connection {
  socket: Socket
  /** The part of a request that has arrived so far. */
  rest: Buffer
}

const server = createServer({ noDelay: true }, (socket) => {
  const connection: Connection = { socket, rest: Buffer.alloc(0) }
  socket.on('data', (chunk) => read(connection, chunk))
  // A client may disconnect at any time.
  socket.on('error', () => socket.destroy())
})

/** Responds to each request once it is complete. Every target sends a `content-length` with a body. */
function read(connection: Connection, chunk: Buffer): void {
  let bytes = connection.rest.length > 0 ? Buffer.concat([connection.rest, chunk]) : chunk
  for (let headLength = bytes.indexOf(headEnd); headLength !== -1; headLength = bytes.indexOf(headEnd)) {
    const head = bytes.toString('latin1', 0, headLength)
    const bodyLength = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    const end = headLength + headEnd.length + bodyLength
    if (bytes.length < end) break
    respond(connection.socket, bytes.toString('latin1', headLength + headEnd.length, end))
    bytes = bytes.subarray(end)
  }
  connection.rest = bytes
}

function respond(socket: Socket, body: string): void {
  const wish = /"user":"(?:delay=(\d+)|frames=(\d+),every=(\d+))"/.exec(body)
  if (!wish) socket.write(plainResponse)
  else if (wish[1]) setTimeout(() => socket.write(plainResponse), Number(wish[1]))
  else stream(socket, Number(wish[2]), Number(wish[3]), body.includes('"include_usage":true'))
}

function stream(socket: Socket, frames: number, everyMs: number, withUsage: boolean): void {
  socket.write(streamHead + frame())
  let sent = 1
  const timer = setInterval(() => {
    if (sent < frames) {
      socket.write(frame())
      sent += 1
      return
    }
    clearInterval(timer)
    socket.write(doneFrame(withUsage))
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}

server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']), backlog: 4_096 }, () => console.log('ready'))
process.once('SIGTERM', () => process.exit())
