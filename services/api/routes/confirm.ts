import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { Confirmation } from '#schemas/sessions.ts'
import type { SessionStore } from '#store/sessions.ts'
import type { ConfirmPassword } from '../confirm-password.ts'
import { originOf } from '../origin.ts'
import type { TwoFactor } from '../two-factor.ts'

interface ConfirmRouteOptions {
  sessions: SessionStore
  confirmPassword: ConfirmPassword
  twoFactor: TwoFactor
}

/** After it, the calls that answer `confirm_password` are open to this session for a short time. */
export const confirmRoutes: FastifyPluginAsyncZod<ConfirmRouteOptions> = async (app, options) => {
  const { sessions, confirmPassword, twoFactor } = options

  app.post(
    '/api/user/confirm',
    { schema: { summary: 'Confirm the password for this session', body: Confirmation, response: { 204: z.null() } } },
    async (request, reply) => {
      const { user, sessionId, body } = request
      await confirmPassword(user.id, body.currentPassword)
      await twoFactor.check(user.id, body.code, originOf(request))
      await sessions.confirm(user.id, sessionId)
      return reply.code(204).send(null)
    },
  )
}
