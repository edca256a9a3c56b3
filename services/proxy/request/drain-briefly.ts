import type { IncomingMessage } from 'node:http'
import { second } from '#core/units.ts'

/** Many SDKs read no response before they have sent everything: for a recording, that takes longer than a few seconds. */
const drainMs = 30 * second

/**
 * Reads the rest of a request that has its response. A client that is still sending would not see the response if the
 * connection closed at once, or if nothing read the request.
 */
export function drainBriefly(request: IncomingMessage): void {
  const { headers } = request
  if (request.complete || !(Number(headers['content-length']) > 0 || headers['transfer-encoding'])) return
  const timer = setTimeout(() => request.socket.destroy(), drainMs).unref()
  setImmediate(() => request.resume())
  request.once('close', () => clearTimeout(timer))
}
