import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { FairQueue } from '#core/limits/fair-queue.ts'
import { SharedLimit } from '#core/limits/shared-limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The queue of a route whose requests cost more than others. */
    turns?: FairQueue
  }
  interface FastifyRequest {
    /** For a response that `reply.send` does not send. */
    endTurn(): void
  }
}

/** Running and waiting requests. Clients with many connections wait, because rejecting costs as much as most requests. */
const limits = { account: 1_000, process: 10_000 }

/** As many as a browser sends to a server at once over HTTP/1.1, so that it never waits. */
const perAccount = 6

export const createTurns = () =>
  new FairQueue({ limit: new SharedLimit(limits), perAccount, atOnce: Number.POSITIVE_INFINITY })

/**
 * The requests of an account take turns, so that a busy account delays only itself. A turn begins when the body has
 * arrived, and ends when the response is serialised, even if the client has left: until then, its queries run.
 */
export const takeTurns = fp<{ turns: FairQueue }>(
  async (app, { turns }) => {
    app.decorateRequest('endTurn', () => undefined)
    app.addHook('preValidation', async (request, { raw }) => {
      const { user, routeOptions } = request
      const { turns: queue = turns } = routeOptions.config
      const begun = Promise.withResolvers<void>()
      const turn = () =>
        new Promise<void>((resolve) => {
          // The client may have left while it waited.
          if (raw.destroyed) return resolve()
          request.endTurn = resolve
          begun.resolve()
        })
      queue.run(user.id, turn).catch(begun.reject)
      await begun.promise
    })
    app.addHook('onSend', (request: FastifyRequest, _reply, _payload, done) => {
      request.endTurn()
      done()
    })
  },
  { name: 'turns', dependencies: ['require-session'] },
)
