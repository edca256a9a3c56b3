import type { Duplex } from 'node:stream'

/** Of an interim response: 101 ends HTTP. */
const interim = Buffer.from('HTTP/1.1 10')
const [continueDigit, switchingDigit] = Buffer.from('01')

/**
 * A server may send an unsolicited `100 Continue`. undici fails on it but ignores other interim responses, so it is
 * rewritten to 102. Only the first data after a request can be a status line; a body may merely look like one.
 */
export function renameContinue(socket: Duplex): void {
  const { read, write } = socket
  let isAwaited = false
  socket.write = function (this: Duplex, ...written: Parameters<Duplex['write']>) {
    isAwaited = true
    return write.apply(this, written)
  } as Duplex['write']
  socket.read = function (this: Duplex, size?: number) {
    const chunk: Buffer | null = read.call(this, size)
    if (isAwaited && chunk !== null) isAwaited = renameIn(chunk)
    return chunk
  }
}

const beginsInterim = (chunk: Buffer, at: number): boolean =>
  chunk.length > at + interim.length && interim.compare(chunk, at, at + interim.length) === 0

/** @returns whether the chunk consists of interim responses, so that a status line is still to come */
function renameIn(chunk: Buffer): boolean {
  let at = 0
  while (beginsInterim(chunk, at)) {
    const digit = at + interim.length
    if (chunk[digit] === switchingDigit) return false
    if (chunk[digit] === continueDigit) chunk.write('2', digit, 'latin1')
    const end = chunk.indexOf('\r\n\r\n', digit)
    if (end === -1) return true
    at = end + 4
  }
  return at === chunk.length
}
