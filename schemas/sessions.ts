import { z } from 'zod'
import { CurrentPassword, SecondStepCode } from './account.ts'

/** A place where the account is signed in. */
export const Session = z.object({
  id: z.uuid(),
  /** Browser and system in words, such as `Chrome on Windows`. */
  device: z.string(),
  clientAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Whether it is the session of this call. */
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

/** Confirms that the owner of the account uses this session. */
export const Confirmation = z.object({ currentPassword: CurrentPassword, code: SecondStepCode })
export type Confirmation = z.infer<typeof Confirmation>
