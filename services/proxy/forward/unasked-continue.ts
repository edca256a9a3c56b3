import type { Socket } from 'node:net'

const statusLine = Buffer.from('HTTP/1.1 100')
const lastDigit = statusLine.length - 1

/**
 * A server may send an unsolicited `100 Continue`. undici fails on it but ignores other interim responses, so it is
 * rewritten to 102. Only the first data after a request can be a status line; a body may merely look like one.
 */
export function renameContinue(socket: Socket): void {
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
