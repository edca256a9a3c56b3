import type { Server } from 'node:http'
import { Socket } from 'node:net'
import type { Registry } from 'prom-client'
import { ProcessChannel } from './process-channel.ts'
import { Needs, type Readiness } from './readiness.ts'
import { second } from '#core/units.ts'

const responseTimeoutMs = 4 * second

export const groupRequests = { metrics: 'metrics', needs: 'needs', groupNeeds: 'group-needs' } as const

export const groupNotices = { joined: 'joined', connection: 'connection', taken: 'taken', ended: 'ended' } as const

export function joinProcessGroup(metrics: Registry, readiness: Readiness) {
  const channel = new ProcessChannel(process, {
    [groupRequests.metrics]: () => metrics.getMetricsAsJSON(),
    [groupRequests.needs]: () => readiness.needs(),
  })
  return {
    /** The needs of all processes of the group. */
    async groupNeeds(): Promise<Needs> {
      const needs = await channel.request(groupRequests.groupNeeds, responseTimeoutMs)
      return Needs.safeParse(needs).data ?? { group: 'unavailable' }
    },
    /** From now on the primary passes connections to this server. */
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
