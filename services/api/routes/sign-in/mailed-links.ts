import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ConfirmEmail, ForgotPassword, ResetPassword, UndoEmailChange } from '#schemas/account.ts'
import { Problem } from '#core/problem.ts'
import type { EmailChangeStore } from '#store/postgres/sign-in/email-changes.ts'
import type { EmailConfirmationStore } from '#store/postgres/sign-in/email-confirmations.ts'
import type { PasswordResetStore } from '#store/postgres/sign-in/password-resets.ts'
import { signedInRoutes } from '../../plugins/session.ts'
import { auditSourceOf, rateLimitPrefix } from '../../sign-in/client-address.ts'
import { hashPassword, rejectCommonPassword } from '#shared/passwords.ts'
import type { RequestPasswordReset } from '../../sign-in/request-password-reset.ts'
import type { Throttle } from '../../sign-in/throttle.ts'

interface EmailConfirmationRouteOptions {
  confirmations: EmailConfirmationStore
  throttle: Throttle
  sendsMail: boolean
}

interface MailedLinkRouteOptions extends EmailConfirmationRouteOptions {
  emailChanges: EmailChangeStore
  resets: PasswordResetStore
  requestReset: RequestPasswordReset
}

/** Actions of links in mails. They work in any browser, whether signed in or not. */
export const mailedLinkRoutes: FastifyPluginAsyncZod<MailedLinkRouteOptions> = async (app, options) => {
  const { emailChanges, confirmations, resets, requestReset, throttle, sendsMail } = options

  app.post(
    '/api/email-change/undo',
    {
      schema: {
        summary: 'Undo a change of the email address, and end all sessions and the password of the account',
        body: UndoEmailChange,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await throttle.count('mailedLink', rateLimitPrefix(request.ip))
      await emailChanges.undo(request.body.token, auditSourceOf(request))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/confirm-email',
    {
      schema: {
        summary: 'Confirm an email address with the secret of a mailed link',
        body: ConfirmEmail,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await throttle.count('mailedLink', rateLimitPrefix(request.ip))
      await confirmations.confirm(request.body.secret, auditSourceOf(request))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/forgot-password',
    {
      schema: {
        summary: 'Request a password reset link by mail',
        description:
          'It is sent only to the confirmed address of an account. The response does not reveal whether there is one.',
        body: ForgotPassword,
        response: { 202: z.undefined() },
      },
    },
    async (request, reply) => {
      if (!sendsMail) throw new Problem('mail-not-configured')
      await throttle.count('forgotPassword', rateLimitPrefix(request.ip))
      // Not awaited, because the response time would reveal whether the account exists.
      void requestReset(request.body.email, auditSourceOf(request))
      return reply.code(202).send()
    },
  )

  app.post(
    '/api/reset-password',
    {
      schema: {
        summary: 'Set a new password with the secret of a mailed link, and end all sessions',
        body: ResetPassword,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { secret, newPassword } = request.body
      await rejectCommonPassword(newPassword, 'newPassword')
      await throttle.count('mailedLink', rateLimitPrefix(request.ip))
      await resets.requireLink(secret)
      const { idHash: deviceHash, setCookie } = await app.sessions.device.prepare(request)
      const passwordHash = await hashPassword(newPassword)
      await resets.reset({ secret, passwordHash, deviceHash }, auditSourceOf(request))
      setCookie(reply)
      return reply.code(204).send(null)
    },
  )
}

/** Sends the confirmation mail again. */
export const emailConfirmationRoutes = signedInRoutes<EmailConfirmationRouteOptions>(async (app, options) => {
  const { confirmations, throttle, sendsMail } = options

  app.post(
    '/api/user/email-confirmation',
    { schema: { summary: 'Send the confirmation mail again', response: { 202: z.undefined() } } },
    async (request, reply) => {
      if (!sendsMail) throw new Problem('mail-not-configured')
      await throttle.count('emailConfirmation', request.user.id)
      if (!request.user.isEmailConfirmed) await confirmations.request(request.user.id, auditSourceOf(request))
      return reply.code(202).send()
    },
  )
})
