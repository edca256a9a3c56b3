import { Server } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Connections in the backlog would be reset, so these are accepted first, of which each turn of the event loop does one.
 * @param longestMs after this time, it closes anyway: with too many new connections, there is always another one
 */
export async function closeListener(server: Server, longestMs: number): Promise<void> {
  const startedAt = performance.now()
  let accepted = 0
  const count = () => (accepted += 1)
  server.on('connection', count)
  // The first turn may begin after the one in which it could have accepted one.
  for (let idleTurns = 0; idleTurns < 2 && performance.now() - startedAt < longestMs;) {
    const before = accepted
    await nextTurn()
    idleTurns = accepted === before ? idleTurns + 1 : 0
  }
  server.off('connection', count)
  // The `close` of an HTTP server would also end idle connections.
  if (server.listening) Server.prototype.close.call(server)
}
