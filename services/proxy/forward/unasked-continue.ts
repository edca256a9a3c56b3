import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

const statusLine = Buffer.from('HTTP/1.1 100')
const lastDigit = statusLine.length - 1

/**
 * A server may send `100 Continue` unasked. undici fails on it, but ignores the other interim responses, so that it gets a
 * 102 instead.
 */
export function withUnaskedContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[1]) renameContinue(result[1])
      callback(...result)
    })
}

/** Only what comes first after a request is a status line: a body may look like one. */
function renameContinue(socket: Socket): void {
  const { read, write } = socket
  let isAwaited = false
  socket.write = function (this: Socket, ...written: Parameters<Socket['write']>) {
    isAwaited = true
    return write.apply(this, written)
  } as Socket['write']
  socket.read = function (this: Socket, size?: number) {
    const chunk: Buffer | null = read.call(this, size)
    if (!isAwaited || chunk === null) return chunk
    isAwaited = chunk.length > lastDigit && statusLine.compare(chunk, 0, statusLine.length) === 0
    if (isAwaited) chunk.write('2', lastDigit, 'latin1')
    return chunk
  }
}
