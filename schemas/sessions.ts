import { z } from 'zod'
import { CurrentPassword, SecondStepCode } from './account.ts'

export const Session = z.object({
  id: z.uuid(),
  /** Browser and operating system, such as `Chrome on Windows`. */
  device: z.string(),
  clientAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Whether this request uses the session. */
  current: z.boolean(),
})
export type Session = z.infer<typeof Session>

/** Proves that the account's owner is using this session. */
export const Confirmation = z.object({ currentPassword: CurrentPassword, code: SecondStepCode })
export type Confirmation = z.infer<typeof Confirmation>
