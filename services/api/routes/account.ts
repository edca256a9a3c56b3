import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Login, Register, User } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'
import type { AccountStore } from '#store/accounts.ts'
import { hashPassword, verifyPassword } from '../passwords.ts'
import type { Sessions } from '../plugins/session.ts'

interface AccountRouteOptions {
  accounts: AccountStore
  sessions: Sessions
  /** The provider's base URL that a new account starts with. */
  baseUrl: string
}

/** Signing up, in and out. Source: specification §7. */
export const accountRoutes: FastifyPluginAsyncZod<AccountRouteOptions> = async (
  app,
  { accounts, sessions, baseUrl },
) => {
  app.get('/api/login', async (_request, reply) => reply.redirect('/auth'))

  app.post('/api/register', { schema: { body: Register, response: { 201: User } } }, async (request, reply) => {
    const { username, email, password, firstName, lastName } = request.body
    const user = await accounts.register({
      username,
      email,
      passwordHash: await hashPassword(password),
      firstName: firstName || null,
      lastName: lastName || null,
      baseUrl,
    })
    await sessions.start(user.id, request, reply)
    return reply.code(201).send(user)
  })

  app.post('/api/login', { schema: { body: Login, response: { 200: User } } }, async (request, reply) => {
    const { username, password } = request.body
    const credentials = await accounts.findCredentials(username)
    if (!(await verifyPassword(password, credentials?.passwordHash)) || !credentials) {
      throw new Problem('invalid-credentials')
    }
    await sessions.start(credentials.accountId, request, reply)
    return (await accounts.get(credentials.accountId))!
  })

  app.post('/api/logout', { schema: { response: { 204: z.null() } } }, async (request, reply) => {
    await sessions.end(request, reply)
    return reply.code(204).send(null)
  })

  app.get('/api/user', { schema: { response: { 200: User } } }, async (request) => {
    const user = await sessions.resolve(request)
    if (!user) throw new Problem('unauthorized')
    return user
  })
}
