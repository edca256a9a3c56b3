import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { SharedLimit } from '#core/limits/shared-limit.ts'
import { kib } from '#core/units.ts'

/** A shorter body costs hardly more than its connection. */
const smallBytes = 16 * kib

/**
 * Counts bodies in memory, by account or by client address, until the client has read the response or left: clients may
 * send and read as slowly as they like.
 */
export const bodiesInMemory = fp<{ limit: SharedLimit }>(
  async (app, { limit }) => {
    function count(request: FastifyRequest, { raw }: FastifyReply, bytes: number): void {
      if (bytes < smallBytes) return
      const owner = request.signedIn?.user.id ?? request.ip
      limit.take(owner, bytes)
      finished(raw, () => limit.release(owner, bytes))
    }
    // Before any of it is read.
    app.addHook('preParsing', async (request, reply) => count(request, reply, bytesOfRequest(request)))
    app.addHook('onSend', async (request, reply, payload) => {
      if (request.signedIn && typeof payload === 'string') count(request, reply, Buffer.byteLength(payload))
    })
  },
  { name: 'bodies-in-memory', dependencies: ['session'] },
)

/** The announced length; without one, as much as the route may read. */
function bytesOfRequest({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return length === undefined && encoding === undefined ? 0 : Math.min(Number(length ?? bodyLimit), bodyLimit)
}
