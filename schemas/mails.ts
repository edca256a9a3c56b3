import { z } from 'zod'
import { AlertEvent, AlertMessage } from './alert-message.ts'
import { AuditAction } from './audit.ts'
import { count, sum } from './numbers.ts'
import { PlanName } from './plan-name.ts'

/** The recipient; times in the mail are in this timezone. */
const Recipient = z.object({ name: z.string(), timezone: z.string() })

const Event = z.object({
  action: AuditAction,
  subject: z.string().nullable(),
  clientAddress: z.string().nullable(),
  at: z.iso.datetime(),
})

export const UsageTotals = z.object({
  requests: count,
  /** Status 1 to 399. */
  successes: count,
  costNanoUsd: sum,
  /** Requests without a known cost, which the sum omits. */
  unpricedRequests: count.default(0),
})
export type UsageTotals = z.infer<typeof UsageTotals>

export const ModelUsage = UsageTotals.omit({ successes: true }).extend({ model: z.string() })
export type ModelUsage = z.infer<typeof ModelUsage>

/** The content of a mail; the templates hold the wording. */
export const MailContent = z.discriminatedUnion('kind', [
  Recipient.extend({ kind: z.literal('security-alert'), events: z.array(Event).min(1) }),
  Recipient.extend({ kind: z.literal('account-activity'), events: z.array(Event).min(1) }),
  /** To the old address, with a link that undoes the change. */
  Recipient.extend({
    kind: z.literal('email-changed'),
    newEmail: z.string(),
    ...Event.pick({ clientAddress: true, at: true }).shape,
  }),
  Recipient.extend({ kind: z.literal('account-deleted'), ...Event.pick({ clientAddress: true, at: true }).shape }),
  Recipient.extend({
    kind: z.literal('plan-ending'),
    plan: PlanName,
    /** Mails of earlier versions have none. */
    planAfter: PlanName.default('free'),
    planUntil: z.iso.datetime(),
  }),
  Recipient.extend({
    kind: z.literal('usage-report'),
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    totals: UsageTotals,
    /** The week before. */
    before: UsageTotals,
    topModels: z.array(ModelUsage),
  }),
  Recipient.extend({
    kind: z.literal('token-budget'),
    token: z.string(),
    period: z.enum(['day', 'month']),
    /** The spent part of the budget. */
    percent: z.union([z.literal(80), z.literal(100)]),
    budgetNanoUsd: z.number().int().positive(),
    spentNanoUsd: sum,
    renewsAt: z.iso.datetime(),
  }),
  Recipient.extend({ kind: z.literal('alert'), event: AlertEvent, message: AlertMessage }),
  // Without a name: anyone can register with someone else's address, and must not be able to send text to it.
  z.object({ kind: z.literal('confirm-email') }),
  /** Only to confirmed addresses. Without a username if it was written before the upgrade that added it. */
  z.object({ kind: z.literal('reset-password'), username: z.string().optional() }),
])
/** Mails with a secret link. The secret is generated when the mail is sent, and never stored. */
export type LinkMailKind = 'confirm-email' | 'reset-password' | 'email-changed'
export type MailContent = z.infer<typeof MailContent>
