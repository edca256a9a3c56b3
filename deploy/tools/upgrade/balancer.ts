import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Balancer {
  url: string
  /** Sends nothing new there; resolves when what was under way has ended. */
  drain(port: number): Promise<void>
  /** Sends requests there again. */
  restore(port: number): void
  close(): Promise<void>
}

/** Stands in for the edge: connections go to the proxies in turn, and never to one that is being drained. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const open = new Map(ports.map((port) => [port, new Set<Socket>()]))
  const drained = new Set<number>()
  let turn = 0

  const server = createServer((client) => {
    const serving = ports.filter((port) => !drained.has(port))
    turn += 1
    const port = serving[turn % serving.length]!
    const upstream = connect(port, '127.0.0.1')
    const connections = open.get(port)!.add(client)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy()).on('close', () => connections.delete(client))
    upstream.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async drain(port) {
      drained.add(port)
      await Promise.all([...open.get(port)!].map((client) => once(client, 'close')))
    },
    restore: (port) => void drained.delete(port),
    async close() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
