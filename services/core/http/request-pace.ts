import type { onRequestHookHandler } from 'fastify'

/** How many requests begin per turn of the event loop: all others wait for the fraction of a millisecond that each takes. */
const perTurn = 8

/**
 * A hook that lets the requests of all clients begin in turn, a few at a time. Otherwise, a flood of the cheapest ones
 * would make each step of every other request wait for hundreds of them.
 */
export function createRequestPace(): onRequestHookHandler {
  /** By client address. */
  const waiting = new Map<string, (() => unknown)[]>()
  let begun = 0

  function beginTurn(): void {
    begun = 0
    for (const [address, requests] of waiting) {
      if (begun === perTurn) break
      const begin = requests.shift()
      // A client with more requests moves to the end of the map, which this iteration still reaches.
      waiting.delete(address)
      if (requests.length > 0) waiting.set(address, requests)
      begun += 1
      begin?.()
    }
    if (begun > 0) setImmediate(beginTurn)
  }

  return (request, { raw }, done) => {
    if (begun < perTurn) {
      if (begun === 0) setImmediate(beginTurn)
      begun += 1
      return done()
    }
    // The client may leave while it waits.
    const begin = () => raw.destroyed || done()
    const { ip } = request
    const others = waiting.get(ip)
    if (others) others.push(begin)
    else waiting.set(ip, [begin])
  }
}
