import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import getPort from 'get-port'
import { StartFailure } from './start-failure.ts'

const host = '127.0.0.1'
// Below the ephemeral ports of Linux and macOS, as is the port 10,000 above, which a node of a Redis Cluster also uses.
const lowest = 20_000
const highest = 22_767
const mostTries = 100
const pickAny = () => randomInt(lowest, highest + 1)

interface FreePortOptions {
  exclude?: number[]
  pick?: () => number
}

/**
 * Finds a port for a program that listens later or is restarted. While this process runs, this function gives no other
 * process the same port.
 */
export async function findFreePort({ exclude = [], pick = pickAny }: FreePortOptions = {}): Promise<number> {
  for (let tried = 0; tried < mostTries; tried += 1) {
    const port = pick()
    if (!exclude.includes(port) && (await getPort({ host, port })) === port && (await reserve(port))) return port
  }
  throw new StartFailure(`None of ${mostTries} ports from ${lowest} to ${highest} is free.`)
}

/** Finds two ports for the metrics of a stack, whose second process uses the next port. @returns the first of them */
export async function findMetricsPorts(): Promise<number> {
  const first = await findFreePort()
  return findFreePort({ pick: () => first + 1 }).then(() => first, findMetricsPorts)
}

/** Reserves the port by binding the UDP port of the same number until this process ends. */
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
