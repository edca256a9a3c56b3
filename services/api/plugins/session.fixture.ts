import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** Replaces sign-in: every request is made by the same account. */
export const fakeSession = fp(
  async (app) => {
    const user = { id: 'account' } as FastifyRequest['user']
    app.decorateRequest('user', { getter: () => user })
  },
  { name: 'require-session' },
)
