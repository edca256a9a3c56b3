import { z } from 'zod'
import { CurrentPassword, SecondStepCode } from './account.ts'

export const Session = z.object({
  id: z.uuid(),
  device: z.string().describe('Browser and operating system, such as `Chrome on Windows`.'),
  clientAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  current: z.boolean().describe('Whether this request uses the session.'),
})
export type Session = z.infer<typeof Session>

/** Proves that the account's owner is using this session. */
export const Confirmation = z.object({ currentPassword: CurrentPassword, code: SecondStepCode })
export type Confirmation = z.infer<typeof Confirmation>
