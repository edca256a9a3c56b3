import { z } from 'zod'

/** Who may create an account: anybody, who has an invite code, nobody. */
export const RegistrationMode = z.enum(['open', 'invite', 'closed'])
export type RegistrationMode = z.infer<typeof RegistrationMode>

/** What the sign-in page has to know before it shows the form. `sendsMail`: whether this server sends mails at all. */
export const Registration = z.object({ mode: RegistrationMode, sendsMail: z.boolean() })
export type Registration = z.infer<typeof Registration>
