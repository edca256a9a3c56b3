import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { errorWithCode } from '#core/errors.ts'
import { second } from '#core/units.ts'

/** After a failed attempt to connect, further ones fail at once for this long, ms. */
const pauseMs = second / 2

interface Target {
  host: readonly string[]
  port: readonly number[]
  /** Of a Unix socket. */
  path: string | false
}

/**
 * Opens the sockets of a Postgres client. The driver has no timeout for responses, so it would wait forever for a server
 * or a network that has vanished without closing the connection.
 */
export function createPostgresSockets(silenceMs: number) {
  let failed = { at: -Infinity, error: new Error() }
  let nth = 0

  return ({ host: hosts, port: ports, path }: Target): Duplex => {
    // Otherwise, each waiting query would make its own attempt, one after the other.
    if (performance.now() - failed.at < pauseMs) return brokenSocket(failed.error)
    const [tried, host, port] = [nth, hosts[nth] ?? '', ports[nth] ?? 0]
    const socket = path ? connect(path) : connect(port, host)
    endWhenSilent(socket, silenceMs)
    let error = errorWithCode('CONNECT_TIMEOUT', `Postgres cannot be reached at ${host}:${port}`)
    socket.once('error', (reason) => (error = reason))
    socket.once('close', () => {
      if (socket.bytesRead > 0 || nth !== tried) return
      nth = (nth + 1) % hosts.length
      if (nth === 0) failed = { at: performance.now(), error }
    })
    // The driver takes the name for TLS from the socket.
    return Object.assign(socket, { host, port })
  }
}

/** Fails with the first write, because the driver does not expect it earlier. */
const brokenSocket = (error: Error) =>
  new Duplex({ read: () => undefined, write: (_chunk, _encoding, callback) => callback(error) })

/** Not by the socket's own timeout, which starts again with each query that the driver sends. */
function endWhenSilent(socket: Socket, silenceMs: number): void {
  let heard = { bytes: 0, at: performance.now() }
  const watch = setInterval(() => {
    const { bytesRead, destroyed } = socket
    if (destroyed) clearInterval(watch)
    else if (bytesRead > heard.bytes) heard = { bytes: bytesRead, at: performance.now() }
    else if (performance.now() - heard.at > silenceMs)
      socket.destroy(errorWithCode('ETIMEDOUT', 'Postgres fell silent'))
  }, second).unref()
}
