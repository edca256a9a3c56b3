import { second } from '#core/units.ts'
import type { AuditAction } from '#schemas/audit.ts'
import type { AuditMailKind, OutboxStore } from '#store/postgres/mails/outbox.ts'
import type { ScheduledJob } from './schedule.ts'

/** Audit actions about which the account's owner is notified by mail. */
const kinds: Partial<Record<AuditAction, AuditMailKind>> = {
  'account-created': 'confirm-email',
  'email-changed': 'confirm-email',
  'email-confirmation-requested': 'confirm-email',
  'password-reset-requested': 'reset-password',
  'signed-in-from-new-device': 'security-alert',
  'account-disabled': 'security-alert',
  'account-enabled': 'security-alert',
  'operator-granted': 'security-alert',
  'operator-revoked': 'security-alert',
  'password-changed': 'security-alert',
  'email-change-undone': 'security-alert',
  'two-factor-enabled': 'security-alert',
  'two-factor-disabled': 'security-alert',
  'recovery-code-used': 'security-alert',
  'recovery-codes-renewed': 'security-alert',
  'api-key-created': 'security-alert',
  'api-key-deleted': 'security-alert',
  'secure-token-created': 'security-alert',
  'secure-token-deleted': 'security-alert',
  'secure-token-revealed': 'security-alert',
  'secure-token-rotated': 'security-alert',
  'proxy-config-changed': 'security-alert',
  'plan-changed': 'account-activity',
  'payment-captured': 'account-activity',
  'payment-refunded': 'account-activity',
}

const batch = 500

/**
 * Turns audit entries into mails.
 * @param hasMailbox if false, entries are only marked as done
 */
export const auditMailJob = (outbox: OutboxStore, hasMailbox: boolean): ScheduledJob => ({
  name: 'audit-mails',
  everyMs: 5 * second,
  async run() {
    while ((await outbox.collectAuditMails(hasMailbox ? kindOf : noKind, batch)) === batch);
  },
})

const kindOf = (action: AuditAction) => kinds[action]
const noKind = () => undefined
