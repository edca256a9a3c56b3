import type { Server } from 'node:http'
import { Socket } from 'node:net'
import type { Registry } from 'prom-client'
import { readMetrics } from '#core/metrics.ts'
import { ProcessChannel } from './process-channel.ts'
import { Health } from './health.ts'
import { second } from '#core/units.ts'

const responseTimeoutMs = 4 * second

/** Sent with each connection that the primary passes on. */
export const passedConnection = 'connection'

/** Sent after that, because a message whose connection this process has no file descriptor for never arrives. */
export const wasPassed = 'was passed'

const noResponse: Health = {
  problems: ['The group does not respond.'],
  needs: { group: 'unavailable' },
  isReady: false,
}

export function joinProcessGroup(metrics: Registry, readHealth: () => Promise<Health>) {
  const channel = new ProcessChannel(process, {
    metrics: () => readMetrics(metrics),
    health: readHealth,
  })
  return {
    async groupHealth(): Promise<Health> {
      const health = await channel.request('groupHealth', responseTimeoutMs)
      return Health.safeParse(health).data ?? noResponse
    },
    /** Call it once everything that this process needs has worked. */
    noteStarted: () => channel.notify('started'),
    /** From now on, the primary passes connections to other members, if there are any. */
    leave: () => channel.notify('leaving'),
    /** From now on, the primary passes connections to this server. */
    takeConnections(server: Server): void {
      function take(socket: unknown): void {
        channel.notify('taken')
        // The client may have disconnected meanwhile.
        if (!(socket instanceof Socket)) return channel.notify('ended')
        socket.once('close', () => channel.notify('ended'))
        server.emit('connection', socket)
        socket.resume()
      }
      let hasArrived = false
      process.on('message', (message, socket) => {
        if (message === passedConnection) take(socket)
        else if (message !== wasPassed) return
        else if (!hasArrived) channel.notify('lost')
        hasArrived = message === passedConnection
      })
      channel.notify('joined')
    },
  }
}
