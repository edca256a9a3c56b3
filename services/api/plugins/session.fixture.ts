import fp from 'fastify-plugin'
import type { SignedIn } from '#store/postgres/sign-in/signed-in.ts'

/** Replaces sign-in: every request is made by the same account. */
export const fakeSession = fp(
  async (app) => {
    const signedIn = { user: { id: 'account' }, credential: { kind: 'session', id: 'session' } } as SignedIn
    app.decorateRequest('signedIn', { getter: () => signedIn })
    app.decorateRequest('user', { getter: () => signedIn.user })
  },
  { name: 'require-session' },
)
