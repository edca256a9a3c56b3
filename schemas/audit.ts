import { z } from 'zod'

/** The actions on an account that the audit trail records. */
export const AuditAction = z.enum([
  'account-created',
  'account-disabled',
  'account-enabled',
  'operator-granted',
  'operator-revoked',
  'signed-in',
  'signed-in-from-new-device',
  'signed-out',
  'session-ended',
  'password-changed',
  'password-reset-requested',
  'email-changed',
  'email-confirmation-requested',
  'email-confirmed',
  'profile-changed',
  'username-changed',
  'email-change-undone',
  'photo-changed',
  'preferences-changed',
  'security-alerts-disabled',
  'two-factor-enabled',
  'two-factor-disabled',
  'recovery-code-used',
  'recovery-codes-renewed',
  'api-key-created',
  'api-key-made-primary',
  'api-key-renamed',
  'api-key-deleted',
  'secure-token-created',
  'secure-token-changed',
  'secure-token-deleted',
  'secure-token-revealed',
  'secure-token-rotated',
  'previous-secret-ended',
  'token-bodies-logged',
  'token-bodies-ended',
  'management-key-created',
  'management-key-deleted',
  'proxy-config-changed',
  'model-price-created',
  'model-price-changed',
  'model-price-deleted',
  'view-created',
  'view-changed',
  'view-deleted',
  'plan-changed',
  'payment-captured',
  'payment-refunded',
  'alert-created',
  'alert-changed',
  'alert-deleted',
  'webhook-created',
  'webhook-deleted',
])
export type AuditAction = z.infer<typeof AuditAction>

export const AuditEntry = z.object({
  id: z.uuid(),
  action: AuditAction,
  subject: z.string().nullable().describe('Name of the affected key, token or other object.'),
  clientAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Newest first. */
export const AuditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.uuid().optional().describe('Id of the last entry of the previous page.'),
})
export type AuditQuery = z.infer<typeof AuditQuery>
