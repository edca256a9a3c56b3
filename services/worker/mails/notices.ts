import type { AuditAction } from '#schemas/audit.ts'

/** What mails say of the audit actions about which the account's owner is notified, by the kind of mail. */
export const notices: Record<'security-alert' | 'account-activity', Partial<Record<AuditAction, string>>> = {
  'security-alert': {
    'signed-in-from-new-device': 'Someone signed in from a device that was not used before',
    'account-disabled': 'The account was disabled by the operator of this server',
    'account-enabled': 'The account was enabled again by the operator of this server',
    'operator-granted': 'The account became an operator of this server',
    'operator-revoked': 'The account is no longer an operator of this server',
    'password-changed': 'The password was changed',
    'username-changed': 'The username was changed; sign in with the new one',
    'email-change-undone':
      'The email address was changed back, all sessions were ended, and the password no longer works',
    'two-factor-enabled': 'Two-factor sign-in was switched on',
    'two-factor-disabled': 'Two-factor sign-in was switched off',
    'recovery-code-used': 'A recovery code was used in place of a code',
    'recovery-codes-renewed': 'New recovery codes were made; the old ones no longer work',
    'api-key-created': 'An API key was added',
    'api-key-deleted': 'An API key was deleted',
    'secure-token-created': 'A secure token was created',
    'secure-token-deleted': 'A secure token was deleted',
    'secure-token-revealed': 'A secure token was shown in full',
    'secure-token-rotated': 'A secure token was rotated',
    'token-bodies-logged': 'Bodies of a secure token’s requests are logged from now on',
    'management-key-created': 'A management key was created',
    'management-key-deleted': 'A management key was deleted',
    'proxy-config-changed': 'The proxy configuration was changed',
    'security-alerts-disabled': 'Security alerts were switched off; this is the last one',
  },
  'account-activity': {
    'plan-changed': 'The plan was changed',
    'payment-captured': 'A payment was received',
    'payment-refunded': 'A payment was refunded',
  },
}
