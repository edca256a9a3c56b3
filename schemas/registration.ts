import { z } from 'zod'

/** Who can create an account: everyone, only users with an invite code, or no one. */
export const RegistrationMode = z.enum(['open', 'invite', 'closed'])
export type RegistrationMode = z.infer<typeof RegistrationMode>

/** Settings of the sign-in page. `sendsMail`: whether a mail server is configured. */
export const Registration = z.object({ mode: RegistrationMode, sendsMail: z.boolean() })
export type Registration = z.infer<typeof Registration>
