import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * `pass`: hands everything on. `refuse`: nobody is there. `swallow`: requests arrive, their answers never do, and
 * the connection breaks; the sender can't know whether it was done. `hold`: answers wait until the mode changes.
 */
export type TcpMode = 'pass' | 'refuse' | 'swallow' | 'hold'

export interface TcpProxy {
  port: number
  /** @param only the fault meets only answers to HTTP requests whose beginning has this text */
  set(mode: TcpMode, only?: string): void
  /** Answers that were swallowed or held so far. */
  kept(): number
  close(): Promise<void>
}

const startOfRequest = /^(?:GET|POST) /
const headBytes = 2_048

/** Stands between a service and a server and does to their connections what a network can do. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>()
  let mode: TcpMode = 'pass'
  let kept = 0
  let only = ''

  const server = createServer((client) => {
    if (mode === 'refuse') return void client.destroy()
    const upstream = connect(targetPort, '127.0.0.1')
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of pair) socket.once('close', end).on('error', end)
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
      held.push(() => client.write(chunk))
    })
  })
  const held: (() => void)[] = []
  await once(server.listen(0, '127.0.0.1'), 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    set(next, text = '') {
      mode = next
      only = text
      if (next === 'refuse') for (const [client] of pairs) client.destroy()
      if (next === 'pass') for (const release of held.splice(0)) release()
    },
    kept: () => kept,
    close: () =>
      new Promise((resolve) => {
        for (const [client] of pairs) client.destroy()
        server.close(() => resolve())
      }),
  }
}
