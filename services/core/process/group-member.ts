import type { Server } from 'node:http'
import { Socket } from 'node:net'
import type { Registry } from 'prom-client'
import { readMetrics } from '#core/metrics.ts'
import { ProcessChannel } from './process-channel.ts'
import { Health } from './health.ts'
import { second } from '#core/units.ts'

const responseTimeoutMs = 4 * second

export const groupRequests = { metrics: 'metrics', health: 'health', groupHealth: 'group-health' } as const

export const groupNotices = {
  joined: 'joined',
  started: 'started',
  connection: 'connection',
  taken: 'taken',
  ended: 'ended',
} as const

const noResponse: Health = {
  problems: ['The group does not respond.'],
  needs: { group: 'unavailable' },
  isReady: false,
}

export function joinProcessGroup(metrics: Registry, readHealth: () => Promise<Health>) {
  const channel = new ProcessChannel(process, {
    [groupRequests.metrics]: () => readMetrics(metrics),
    [groupRequests.health]: readHealth,
  })
  return {
    async groupHealth(): Promise<Health> {
      const health = await channel.request(groupRequests.groupHealth, responseTimeoutMs)
      return Health.safeParse(health).data ?? noResponse
    },
    /** Call it once everything that this process needs has worked. */
    noteStarted: () => channel.notify(groupNotices.started),
    /** From now on, the primary passes connections to this server. */
    takeConnections(server: Server): void {
      process.on('message', (message, socket) => {
        if (message !== groupNotices.connection) return
        channel.notify(groupNotices.taken)
        // The client may have disconnected meanwhile.
        if (!(socket instanceof Socket)) return channel.notify(groupNotices.ended)
        socket.once('close', () => channel.notify(groupNotices.ended))
        server.emit('connection', socket)
        socket.resume()
      })
      channel.notify(groupNotices.joined)
    },
  }
}
