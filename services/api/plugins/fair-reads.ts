import fp from 'fastify-plugin'
import type { FairQueue } from '#core/limits/fair-queue.ts'

/**
 * Queues the reads of this context fairly by account, so that a busy account delays only itself. A slot belongs to the
 * handler, not to the response, whose client may leave or be slow.
 */
export const fairReads = fp<{ reads: FairQueue }>(
  async (app, { reads }) => {
    app.addHook('onRoute', (route) => {
      const { handler } = route
      route.handler = function (request, reply) {
        return reads.run(request.user.id, async () => {
          // The client may have left while it waited.
          if (reply.raw.destroyed) return undefined
          return handler.call(this, request, reply)
        })
      }
    })
  },
  { name: 'fair-reads', dependencies: ['require-session'] },
)
