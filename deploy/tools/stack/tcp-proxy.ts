import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { listenLocally } from '#tools/process/listen.ts'

/**
 * `pass`: everything gets through. `reject`: every connection ends at once. `freeze`: nothing gets through, but no
 * connection ends, as with a stopped process or a lost network. `swallow`: requests arrive, their responses do not, and
 * the connection breaks. `hold`: responses wait until the mode is `pass` again.
 */
type TcpMode = 'pass' | 'reject' | 'freeze' | 'swallow' | 'hold'

/** A connection to a store that a test can break, while the store keeps working for others. */
export interface TcpProxy {
  port: number
  /** @param only limits `swallow` and `hold` to responses to HTTP requests whose first bytes contain this text */
  set(mode: TcpMode, only?: string): void
  /** Number of responses swallowed or delayed so far. */
  kept(): number
  /** Ends all connections; new ones are rejected. */
  close(): Promise<void>
}

const startOfRequest = /^(?:GET|POST) /
const headBytes = 2_048

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const delayed: (() => void)[] = []
  let mode: TcpMode = 'pass'
  let kept = 0
  let only = ''

  const server = createServer((client) => {
    if (mode === 'reject') return void client.destroy()
    const upstream = connect(target)
    const end = () => {
      for (const socket of [client, upstream]) {
        sockets.delete(socket)
        socket.destroy()
      }
    }
    let isMeant = false
    client.on('data', (chunk) => {
      const head = chunk.toString('latin1', 0, headBytes)
      if (startOfRequest.test(head)) isMeant = head.includes(only)
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (mode === 'pass' || !isMeant) return void client.write(chunk)
      kept += 1
      if (mode === 'swallow') return end()
      delayed.push(() => client.write(chunk))
    })
    for (const socket of [client, upstream]) {
      sockets.add(socket.once('close', end).on('error', end))
      if (mode === 'freeze') socket.pause()
    }
  })

  return {
    port: await listenLocally(server),
    set(next, text = '') {
      mode = next
      only = text
      if (next === 'reject') for (const socket of sockets) socket.destroy()
      if (next === 'pass') for (const release of delayed.splice(0)) release()
      for (const socket of sockets) {
        if (next === 'freeze') socket.pause()
        else socket.resume()
      }
    },
    kept: () => kept,
    async close() {
      const closed = server.listening ? once(server, 'close') : undefined
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
