import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire to a store that a test can cut or freeze, while the store itself goes on for everybody else. */
export interface TcpProxy {
  port: number
  /** Nothing gets through any more, yet no connection ends: what a stopped process or a lost network looks like. */
  freeze(): void
  thaw(): void
  /** Connections end and new ones are refused. */
  cut(): Promise<void>
  stop(): Promise<void>
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false

  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    if (isFrozen) socket.pause()
  }
  const server = createServer((client) => {
    const upstream = connect(target)
    keep(client)
    keep(upstream)
    client.on('data', (bytes) => upstream.write(bytes)).on('close', () => upstream.destroy())
    upstream.on('data', (bytes) => client.write(bytes)).on('close', () => client.destroy())
    if (isFrozen) for (const socket of [client, upstream]) socket.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function cut(): Promise<void> {
    const closed = server.listening ? once(server, 'close') : undefined
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    cut,
    stop: cut,
  }
}
