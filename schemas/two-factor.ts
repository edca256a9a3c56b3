import { z } from 'zod'
import { CurrentPassword } from './account.ts'
import { count } from './numbers.ts'

export const TwoFactorStatus = z.object({
  enabled: z.boolean(),
  recoveryCodesLeft: count,
})
export type TwoFactorStatus = z.infer<typeof TwoFactorStatus>

/** The secret for an authenticator app, to type or to show as a QR code. */
export const TwoFactorSetup = z.object({
  secret: z.string().describe('Base32.'),
  uri: z.string().describe('`otpauth://totp/…`'),
})
export type TwoFactorSetup = z.infer<typeof TwoFactorSetup>

export const EnableTwoFactor = z.object({
  code: z
    .string('Enter the code of your app')
    .trim()
    .regex(/^\d{3} ?\d{3}$/, 'Enter the 6 digits of your app'),
})

export const ConfirmedByPassword = z.object({ currentPassword: CurrentPassword })

/** Shown once. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
