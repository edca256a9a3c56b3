import { z } from 'zod'

/** New accounts: for everyone, with an invite code only, or none. */
export const RegistrationMode = z.enum(['open', 'invite', 'closed'])
export type RegistrationMode = z.infer<typeof RegistrationMode>

/** Settings that the sign-in page needs before it shows the form. `sendsMail`: whether this server sends mails at all. */
export const Registration = z.object({ mode: RegistrationMode, sendsMail: z.boolean() })
export type Registration = z.infer<typeof Registration>
