import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { SignedIn } from '#store/postgres/sign-in/signed-in.ts'

/** Replaces sign-in: every request is made by the account in its `x-account` header. */
export const fakeSession = fp(
  async (app) => {
    app.decorateRequest('user', {
      getter(this: FastifyRequest) {
        return { id: this.headers['x-account'] ?? 'account' } as SignedIn['user']
      },
    })
    app.decorateRequest('signedIn', {
      getter(this: FastifyRequest) {
        return { user: this.user, credential: { kind: 'session', id: 'session' } } as SignedIn
      },
    })
  },
  { name: 'require-session' },
)
