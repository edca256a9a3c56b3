import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Registration, type RegistrationMode } from '#schemas/registration.ts'

/** Whether the page offers to create an account, and asks for an invite code. */
export const registrationRoutes: FastifyPluginAsyncZod<{ mode: RegistrationMode }> = async (app, { mode }) => {
  app.get(
    '/api/registration',
    { schema: { summary: 'Who may create an account', response: { 200: Registration } } },
    () => ({ mode }),
  )
}
