import { once } from 'node:events'
import type { Server } from 'node:net'

/** Listens on a free port of this machine. @returns the port */
export async function listenLocally(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address.port
}
