import { second } from '#core/units.ts'
import type { AuditAction } from '#schemas/audit.ts'
import type { AuditMailKind, OutboxStore } from '#store/postgres/mails/outbox.ts'
import { notices } from '../mails/notices.ts'
import type { ScheduledJob } from './schedule.ts'

/** Audit actions that are followed by a mail with a link. */
const linkMails: Partial<Record<AuditAction, AuditMailKind>> = {
  'account-created': 'confirm-email',
  'email-changed': 'confirm-email',
  'email-confirmation-requested': 'confirm-email',
  'password-reset-requested': 'reset-password',
}
const noticeKinds = ['security-alert', 'account-activity'] as const

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

const kindOf = (action: AuditAction) => linkMails[action] ?? noticeKinds.find((kind) => action in notices[kind])
const noKind = () => undefined
