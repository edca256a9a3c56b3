import { hash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { AuditAction } from '#schemas/audit.ts'
import type { MailContent } from '#schemas/mails.ts'
import { type AuditEntryRow, isKnownAction } from '../audit.ts'
import { foldName } from '../fold-name.ts'
import { type MailReader, readerColumns } from './mail-readers.ts'
import { firstRow, hasRows } from '../require-row.ts'

interface NewMail {
  /** Unique per account and kind. */
  dedupeKey: string
  recipient: string
  content: MailContent
}

export interface DueMail extends Omit<NewMail, 'dedupeKey'> {
  id: string
  accountId: string
  attempts: number
}

export type AuditMailKind = 'security-alert' | 'account-activity' | 'confirm-email' | 'reset-password'

interface UnnotifiedEntry extends Omit<AuditEntryRow, 'userAgent'>, MailReader {
  accountId: string
  username: string
  securityAlerts: boolean
  emailNotifications: boolean
  isEmailConfirmed: boolean
}

const keptDays = 60

/** Maximum of mails of one kind to an address per day. It is low for mails that strangers can request. */
const dailyMailsOfKind = 20
const dailyMails: Partial<Record<MailContent['kind'], number>> = {
  'confirm-email': 3,
  'reset-password': 10,
  alert: 100,
}

export type OutboxStore = ReturnType<typeof createOutboxStore>

export const createOutboxStore = (sql: Sql) => ({
  add: (accountId: string, mail: NewMail): Promise<boolean> => insertMail(sql, accountId, mail),

  /**
   * Combines audit entries without a notification into one mail per account and kind, and marks them as notified.
   * Concurrent workers share the work.
   * @param kindOf the mail for an action; undefined if there is none
   * @returns the number of entries that were read
   */
  collectAuditMails: (kindOf: (action: AuditAction) => AuditMailKind | undefined, limit: number): Promise<number> =>
    sql.begin(async (tx) => {
      const entries = await tx<UnnotifiedEntry[]>`
        select e.id, e.account_id as "accountId", e.action, e.subject, e.client_address as "clientAddress",
          e.created_at as "createdAt", a.username, ${readerColumns(sql)}, coalesce(p.security_alerts, true) as "securityAlerts",
          coalesce(p.email_notifications, true) as "emailNotifications",
          a.email_confirmed_at is not null as "isEmailConfirmed"
        from audit_entries e join accounts a on a.id = e.account_id left join preferences p on p.account_id = a.id
        where e.notified_at is null and ${isKnownAction(tx)}
        order by e.created_at, e.id limit ${limit} for update of e skip locked`
      const due = entries.flatMap((entry) => {
        const kind = kindOf(entry.action)
        return kind && isWanted(kind, entry) ? { ...entry, kind } : []
      })
      const groups = Map.groupBy(due, ({ accountId, kind }) => `${kind} ${accountId}`)
      for (const group of groups.values()) {
        const [first] = group
        if (!first) continue
        const { id, accountId, recipient } = first
        await insertMail(tx, accountId, { dedupeKey: id, recipient, content: contentOf(first, group) })
      }
      await tx`update audit_entries set notified_at = now() where id = any(${entries.map(({ id }) => id)})`
      return entries.length
    }),

  /** Claims a due mail. Unless marked as sent or failed, it is due again after a minute, then at growing intervals. */
  claim: () =>
    firstRow(sql<DueMail[]>`
      update outgoing_mails set attempts = attempts + 1,
        next_attempt_at = now() + least(power(2, attempts), 360) * interval '1 minute'
      where id = (
        select id from outgoing_mails where sent_at is null and failed_at is null and next_attempt_at <= now()
        order by next_attempt_at limit 1 for update skip locked)
      returning id, account_id as "accountId", recipient, content, attempts`),

  async markSent(id: string): Promise<void> {
    await sql`update outgoing_mails set sent_at = now() where id = ${id}`
    await forgetDeleted(sql, id)
  },

  async markFailed(id: string): Promise<void> {
    await sql`update outgoing_mails set failed_at = now() where id = ${id}`
    await forgetDeleted(sql, id)
  },

  /** Counts a mail. @returns false when the address has reached today's limit for this kind */
  countMail: (recipient: string, kind: MailContent['kind']): Promise<boolean> =>
    hasRows(sql`
      insert into mail_counts as counted (address_hash, kind, day, mails)
      values (${hashMailbox(recipient)}, ${kind}, current_date, 1)
      on conflict (address_hash, kind, day) do update set mails = counted.mails + 1
      where counted.mails < ${dailyMails[kind] ?? dailyMailsOfKind}`),

  async prune(): Promise<void> {
    await sql`delete from outgoing_mails where created_at < now() - ${keptDays} * interval '1 day'`
    await sql`delete from mail_counts where day < current_date - 1`
  },
})

/** An unconfirmed address receives only the confirmation mail. */
function isWanted(kind: AuditMailKind, entry: UnnotifiedEntry): boolean {
  if (kind === 'confirm-email') return !entry.isEmailConfirmed
  if (!entry.isEmailConfirmed) return false
  // Otherwise, whoever stole a session could switch the alerts off and then act unnoticed.
  if (kind === 'reset-password' || entry.action === 'security-alerts-disabled') return true
  return kind === 'security-alert' ? entry.securityAlerts : entry.emailNotifications
}

function contentOf(
  { kind, username, name, timezone }: UnnotifiedEntry & { kind: AuditMailKind },
  entries: readonly UnnotifiedEntry[],
): MailContent {
  if (kind === 'confirm-email') return { kind }
  if (kind === 'reset-password') return { kind, username }
  const events = entries.map(({ action, subject, clientAddress, createdAt }) => ({
    action,
    subject,
    clientAddress,
    at: createdAt.toISOString(),
  }))
  return { kind, name, timezone, events }
}

/** Addresses that differ only after a `+` count as one mailbox. */
const hashMailbox = (address: string): Buffer => hash('sha256', foldName(address).replace(/\+.*(?=@)/, ''), 'buffer')

/** The last mail of a deleted account is deleted once it is sent or has failed. */
const forgetDeleted = (sql: Sql, id: string) => sql`delete from outgoing_mails where id = ${id} and account_id is null`

/** @param accountId null if the mail outlives the account. @returns false for a duplicate */
export const insertMail = (
  sql: Sql | Transaction,
  accountId: string | null,
  { dedupeKey, recipient, content }: NewMail,
): Promise<boolean> =>
  hasRows(sql`
    insert into outgoing_mails (id, account_id, kind, occasion, recipient, content)
    values (${uuidv7()}, ${accountId}, ${content.kind}, ${dedupeKey}, ${recipient}, ${sql.json(content)})
    on conflict do nothing`)
