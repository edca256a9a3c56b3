import type { Socket } from 'node:net'
import { codeOf } from '#core/errors.ts'

/** Errors of writing to a connection that the other side has closed. */
const closed = new Set(['EPIPE', 'ECONNRESET'])

const patient = new WeakSet<Socket>()

/**
 * A provider may respond to an upload before it has read all of it, and close the connection. Writing then fails, and the
 * socket would be destroyed before its response is read. The error can be ignored, because reading reports the end too.
 */
export function readDespiteFailedWrites(socket: Socket): void {
  if (patient.has(socket)) return
  patient.add(socket)
  const { _write: write, _writev: writev } = socket
  const methods: Pick<Socket, '_write' | '_writev'> = {
    _write: (chunk, encoding, done) => write.call(socket, chunk, encoding, unlessClosed(done)),
    _writev: (chunks, done) => writev?.call(socket, chunks, unlessClosed(done)),
  }
  Object.assign(socket, methods)
}

/** For a request after an upload, whose failed first write shows that it was not sent. */
export function heedFailedWrites(socket: Socket): void {
  if (!patient.delete(socket)) return
  Reflect.deleteProperty(socket, '_write')
  Reflect.deleteProperty(socket, '_writev')
}

/** By this code, undici recognises a reset, which it takes for the end of a response without a length: it was cut off. */
function renameReset(error: NodeJS.ErrnoException): void {
  if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET'
}

export const failAtReset = (socket: Socket): void => void socket.once('error', renameReset)

/** For an error response, which may come before the provider has read the request: closing then resets the connection. */
export const endAtReset = (socket: Socket): void => void socket.off('error', renameReset)

type Done = (error?: Error | null) => void

const unlessClosed =
  (done: Done): Done =>
  (error) => {
    if (!closed.has(codeOf(error) ?? '')) done(error)
  }
