import type { AuditAction } from '#schemas/audit.ts'

/** What happened, in words. */
export const auditLabels = {
  'account-created': 'Account created',
  'signed-in': 'Signed in',
  'signed-in-from-new-device': 'Signed in from a new device',
  'signed-out': 'Signed out',
  'session-ended': 'Session ended',
  'password-changed': 'Password changed',
  'profile-changed': 'Profile changed',
  'photo-changed': 'Photo changed',
  'preferences-changed': 'Preferences changed',
  'two-factor-enabled': 'Two-factor sign-in switched on',
  'two-factor-disabled': 'Two-factor sign-in switched off',
  'recovery-code-used': 'Recovery code used',
  'recovery-codes-renewed': 'Recovery codes renewed',
  'api-key-created': 'API key added',
  'api-key-made-primary': 'API key made primary',
  'api-key-deleted': 'API key deleted',
  'secure-token-created': 'Secure token created',
  'secure-token-changed': 'Secure token changed',
  'secure-token-deleted': 'Secure token deleted',
  'secure-token-revealed': 'Secure token revealed',
  'proxy-config-changed': 'Proxy configuration changed',
  'plan-changed': 'Plan changed',
  'payment-captured': 'Payment received',
  'payment-refunded': 'Payment refunded',
} satisfies Record<AuditAction, string>
