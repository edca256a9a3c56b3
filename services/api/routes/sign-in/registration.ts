import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Registration } from '#schemas/registration.ts'

/** Whether the page offers to create an account, asks for an invite code, and can send mails. */
export const registrationRoutes: FastifyPluginAsyncZod<Registration> = async (app, registration) => {
  app.get(
    '/api/registration',
    { schema: { summary: 'Who may create an account', response: { 200: Registration } } },
    () => registration,
  )
}
