import { z } from 'zod'

/** A secure token as its owner sees it. Source: specification §3, "Secure token". */
export const SecureToken = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Masked: prefix and last 4 characters. */
  token: z.string(),
  isActive: z.boolean(),
  usageCount: z.number().int().nonnegative(),
  lastUsed: z.iso.datetime().nullable(),
  /** The token works up to this moment; `null` means that it does not expire. */
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type SecureToken = z.infer<typeof SecureToken>

const nameMessage = 'Please enter a name for your secure token'

/** `expiresAt` is a calendar day; the token works to the end of it. Source: specification §5, "Create token". */
export const CreateSecureToken = z.object({
  name: z.string(nameMessage).trim().min(1, nameMessage).max(200, 'Name must be at most 200 characters'),
  expiresAt: z.iso.date('Expiry date must be a date').optional(),
})
export type CreateSecureToken = z.infer<typeof CreateSecureToken>

export const ToggleSecureToken = z.object({ isActive: z.boolean() })
export type ToggleSecureToken = z.infer<typeof ToggleSecureToken>

/** The only two answers that carry a token in full: just created, and revealed. */
export const CreatedSecureToken = SecureToken
export const RevealedSecureToken = z.object({ token: z.string() })
