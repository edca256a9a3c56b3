import { z } from 'zod'

export const RegistrationMode = z
  .enum(['open', 'invite', 'closed'])
  .describe('`invite`: an account can be created only with an invite code.')
export type RegistrationMode = z.infer<typeof RegistrationMode>

/** Settings of the sign-in page. */
export const Registration = z.object({
  mode: RegistrationMode,
  sendsMail: z.boolean().describe('Whether a mail server is configured.'),
})
export type Registration = z.infer<typeof Registration>
