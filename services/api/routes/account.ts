import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Login, Register, User } from '#schemas/account.ts'
import { Registration } from '#schemas/registration.ts'
import { Problem } from '#core/problem.ts'
import type { AccountStore } from '#store/postgres/accounts.ts'
import { requireRow } from '#store/postgres/require-row.ts'
import { auditSourceOf, rateLimitPrefix } from '../sign-in/client-address.ts'
import { hashPassword, rejectCommonPassword } from '#shared/passwords.ts'
import { slowTakenNames } from '../sign-in/taken-names.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { Throttle } from '../sign-in/throttle.ts'

interface AccountRouteOptions {
  accounts: AccountStore
  signIn: SignIn
  throttle: Throttle
  /** The provider's base URL for new accounts. */
  baseUrl: string
  registration: Registration
}

/** Signing up, in and out. Source: product.md 8.4. */
export const accountRoutes: FastifyPluginAsyncZod<AccountRouteOptions> = async (app, options) => {
  const { accounts, signIn, throttle, baseUrl, registration } = options

  app.get(
    '/api/login',
    { schema: { summary: 'Redirect to the sign-in page', response: { 302: z.null() } } },
    async (_request, reply) => reply.redirect('/auth'),
  )

  app.post(
    '/api/register',
    { schema: { summary: 'Create an account and sign in', body: Register, response: { 201: User } } },
    async (request, reply) => {
      const { username, email, password, firstName, lastName, inviteCode = '' } = request.body
      if (registration.mode === 'closed') throw new Problem('registration-closed')
      await rejectCommonPassword(password, 'password')
      await throttle.count('registration', rateLimitPrefix(request.ip))
      const session = await app.sessions.prepare(request)
      const account = { username, email, firstName: firstName || null, lastName: lastName || null, baseUrl }
      const user = await slowTakenNames(throttle, request.ip, async () =>
        accounts.register(
          { ...account, passwordHash: await hashPassword(password) },
          session.row,
          registration.mode === 'invite' ? inviteCode : undefined,
        ),
      )
      session.setCookies(reply)
      return reply.code(201).send(user)
    },
  )

  app.post(
    '/api/login',
    {
      schema: {
        summary: 'Sign in',
        description: 'With two-factor sign-in, a request without `code` fails with 401 `two-factor-required`.',
        body: Login,
        response: { 200: User },
      },
    },
    async (request, reply) => {
      const checked = await signIn(request.body, auditSourceOf(request), await app.sessions.device.read(request))
      await throttle.count('signIn', checked.accountId)
      await app.sessions.start(checked, request, reply)
      return requireRow(await accounts.get(checked.accountId))
    },
  )

  app.post('/api/logout', { schema: { summary: 'Sign out', response: { 204: z.null() } } }, async (request, reply) => {
    await app.sessions.end(request, reply)
    return reply.code(204).send(null)
  })

  app.get('/api/user', { schema: { summary: 'Get the signed-in user', response: { 200: User } } }, async (request) => {
    const signedIn = await app.sessions.resolve(request)
    if (!signedIn) throw new Problem('unauthorized')
    return signedIn.user
  })

  app.get(
    '/api/registration',
    { schema: { summary: 'Get who may create an account', response: { 200: Registration } } },
    () => registration,
  )
}
