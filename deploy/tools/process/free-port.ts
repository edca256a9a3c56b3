import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import getPort from 'get-port'
import { StartFailure } from './start-failure.ts'

const host = '127.0.0.1'
/**
 * Systems give ports above these to whoever asks for any, servers and clients alike; so they do with the port 10,000
 * above, which a node of a Redis Cluster takes as well.
 */
const lowest = 20_000
const highest = 22_767
const mostTries = 100
const pickAny = () => randomInt(lowest, highest + 1)

interface FreePortOptions {
  exclude?: number[]
  pick?: () => number
}

/**
 * A port for a program that listens there only seconds later, or again after it was killed. As long as this process
 * lives, no other one that asks here gets it.
 */
export async function findFreePort({ exclude = [], pick = pickAny }: FreePortOptions = {}): Promise<number> {
  for (let tried = 0; tried < mostTries; tried += 1) {
    const port = pick()
    if (!exclude.includes(port) && (await getPort({ host, port })) === port && (await reserve(port))) return port
  }
  throw new StartFailure(`None of ${mostTries} ports from ${lowest} to ${highest} is free.`)
}

/** Holds the UDP port of the same number, which nothing else here uses and which goes with the process. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  try {
    await once(socket.bind({ address: host, port, exclusive: true }), 'listening')
    return true
  } catch {
    socket.close()
    return false
  }
}
