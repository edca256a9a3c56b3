import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { FairQueue } from '#core/limits/fair-queue.ts'

const leave = Symbol('leave')
interface QueuedRequest extends FastifyRequest {
  [leave]?: () => void
}

/**
 * What reads logs and sums in this context waits for its turn: an account that asks for a lot waits for itself, not the
 * others for it.
 */
export const fairReads = fp<{ reads: FairQueue }>(
  async (app, { reads }) => {
    app.addHook('preHandler', async (request: QueuedRequest) => {
      if (request.method === 'GET') request[leave] = await reads.enter(request.user.id)
    })
    // Called for every request that ends, however it does.
    app.addHook('onResponse', async (request: QueuedRequest) => request[leave]?.())
  },
  { name: 'fair-reads', dependencies: ['require-session'] },
)
