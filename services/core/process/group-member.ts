import type { Server } from 'node:http'
import { Socket } from 'node:net'
import type { Registry } from 'prom-client'
import { ProcessChannel } from './process-channel.ts'
import { Needs, type Readiness } from './readiness.ts'
import { second } from '#core/units.ts'

const answerWithinMs = 4 * second

/** Questions between the processes of a group. */
export const groupQuestions = { metrics: 'metrics', needs: 'needs', groupNeeds: 'group-needs' } as const

/** What they tell each other. */
export const groupNotes = { joined: 'joined', connection: 'connection', taken: 'taken', ended: 'ended' } as const

/** A process of a group, as it sees itself. */
export interface GroupMember {
  /** What any process of the group needs. */
  groupNeeds(): Promise<Needs>
  /** From now on this server gets connections. */
  takeConnections(server: Server): void
}

/** Joins the group of the process that forked this one. */
export function joinProcessGroup(metrics: Registry, readiness: Readiness): GroupMember {
  const channel = new ProcessChannel(process, {
    [groupQuestions.metrics]: () => metrics.getMetricsAsJSON(),
    [groupQuestions.needs]: () => readiness.needs(),
  })
  return {
    async groupNeeds() {
      const needs = await channel.ask(groupQuestions.groupNeeds, answerWithinMs)
      return Needs.safeParse(needs).data ?? { group: 'unavailable' }
    },
    takeConnections(server) {
      process.on('message', (message, socket) => {
        if (message !== groupNotes.connection) return
        channel.tell(groupNotes.taken)
        // Its client may have left meanwhile.
        if (!(socket instanceof Socket)) return channel.tell(groupNotes.ended)
        socket.once('close', () => channel.tell(groupNotes.ended))
        server.emit('connection', socket)
        socket.resume()
      })
      channel.tell(groupNotes.joined)
    },
  }
}
