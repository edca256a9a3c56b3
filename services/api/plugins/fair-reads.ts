import fp from 'fastify-plugin'
import type { FairQueue } from '#core/limits/fair-queue.ts'

/**
 * Queues the reads of this context fairly by account, so that a busy account delays only itself. A slot belongs to the
 * handler and to the writing of its result as JSON, which takes as long as a query if it is large, but not to the
 * response, whose client may leave or be slow. So handlers return their result: `reply.send` would wait for the client.
 */
export const fairReads = fp<{ reads: FairQueue }>(
  async (app, { reads }) => {
    app.addHook('onRoute', (route) => {
      const { handler, method } = route
      if (method !== 'GET' && method !== 'HEAD') return
      route.handler = function (request, reply) {
        return reads.run(request.user.id, async () => {
          // The client may have left while it waited.
          if (reply.raw.destroyed) return undefined
          const result: unknown = await handler.call(this, request, reply)
          if (result === undefined || result === reply || typeof result === 'string') return result
          reply.type('application/json; charset=utf-8')
          return reply.serialize(result)
        })
      }
    })
  },
  { name: 'fair-reads', dependencies: ['require-session'] },
)
