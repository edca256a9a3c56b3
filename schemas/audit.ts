import { z } from 'zod'

/** Everything that is worth remembering of what people do with an account. */
export const AuditAction = z.enum([
  'account-created',
  'signed-in',
  'signed-in-from-new-device',
  'signed-out',
  'session-ended',
  'password-changed',
  'profile-changed',
  'photo-changed',
  'two-factor-enabled',
  'two-factor-disabled',
  'recovery-code-used',
  'api-key-created',
  'api-key-made-primary',
  'api-key-deleted',
  'secure-token-created',
  'secure-token-changed',
  'secure-token-deleted',
  'secure-token-revealed',
  'proxy-config-changed',
  'plan-changed',
  'payment-captured',
  'payment-refunded',
])
export type AuditAction = z.infer<typeof AuditAction>
