import { z } from 'zod'
import { Problem } from '#core/problem.ts'
import type { EmailConfirmationStore } from '#store/postgres/sign-in/email-confirmations.ts'
import { auditSourceOf } from '../../sign-in/audit-source.ts'
import type { Throttle } from '../../sign-in/throttle.ts'
import { signedInRoutes } from '../../plugins/session.ts'

interface EmailConfirmationRouteOptions {
  confirmations: EmailConfirmationStore
  throttle: Throttle
  sendsMail: boolean
}

/** The mail by which people say that an address is theirs, once more. */
export const emailConfirmationRoutes = signedInRoutes<EmailConfirmationRouteOptions>(async (app, options) => {
  const { confirmations, throttle, sendsMail } = options

  app.post(
    '/api/user/email-confirmation',
    { schema: { summary: 'Send the confirmation of the email address again', response: { 202: z.null() } } },
    async (request, reply) => {
      if (!sendsMail) throw new Problem('mail-not-configured')
      await throttle.count('emailConfirmation', request.user.id)
      if (!request.user.isEmailConfirmed) await confirmations.request(request.user.id, auditSourceOf(request))
      return reply.code(202).send(null)
    },
  )
})
