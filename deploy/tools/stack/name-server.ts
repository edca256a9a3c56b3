import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode } from 'dns-packet'

/** The record of a name; `silent`: queries for it get no response. */
export type KnownName = { v4?: string; ttl?: number } | 'silent'

export interface NameServer {
  /** Address in the format of `DNS_SERVERS`. */
  address: string
  /** The queried names, in order; each is queried once per address family. */
  asked: string[]
  /** Stops responding to queries. */
  goAway(): void
  stop(): void
}

/** Starts a name server on this machine. Names that are not in the table do not exist. */
export async function startNameServer(names: Record<string, KnownName>): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  let isAway = false
  socket.on('message', (message, from) => {
    const { id, questions = [] } = decode(message)
    const [question] = questions
    if (!question) return
    const name = question.name.toLowerCase()
    asked.push(name)
    const known = names[name]
    if (isAway || known === 'silent') return
    const { v4, ttl = 60 } = known ?? {}
    const answers: Answer[] = v4 && question.type === 'A' ? [{ type: 'A', name, ttl, data: v4 }] : []
    const flags = known ? 0 : 3 // NXDOMAIN
    socket.send(encode({ type: 'response', id, flags, questions, answers }), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    goAway() {
      isAway = true
    },
    stop: () => void socket.close(),
  }
}
