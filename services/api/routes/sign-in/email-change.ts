import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { UndoEmailChange } from '#schemas/account.ts'
import type { EmailChangeStore } from '#store/postgres/sign-in/email-changes.ts'
import { auditSourceOf } from '../../sign-in/audit-source.ts'

interface EmailChangeRouteOptions {
  emailChanges: EmailChangeStore
}

/** The link in the mail to an old address. It works without a session. */
export const emailChangeRoutes: FastifyPluginAsyncZod<EmailChangeRouteOptions> = async (app, options) => {
  const { emailChanges } = options

  app.post(
    '/api/email-change/undo',
    {
      schema: {
        summary: 'Give an account its earlier email address back; all its sessions end',
        body: UndoEmailChange,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await emailChanges.undo(request.body.token, auditSourceOf(request))
      return reply.code(204).send(null)
    },
  )
}
