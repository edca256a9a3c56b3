import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { FairQueue } from '#core/limits/fair-queue.ts'

const leave = Symbol('leave')
interface QueuedRequest extends FastifyRequest {
  [leave]?: () => void
}

/** Queues the GET requests of this context fairly by account, so that a busy account delays only itself. */
export const fairReads = fp<{ reads: FairQueue }>(
  async (app, { reads }) => {
    app.addHook('preHandler', async (request: QueuedRequest) => {
      if (request.method === 'GET') request[leave] = await reads.enter(request.user.id)
    })
    // Also called for aborted requests.
    app.addHook('onResponse', async (request: QueuedRequest) => request[leave]?.())
  },
  { name: 'fair-reads', dependencies: ['require-session'] },
)
