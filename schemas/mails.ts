import { z } from 'zod'
import { AuditAction } from './audit.ts'
import { PlanName } from './plans.ts'

/** Times in a mail are written in the reader's timezone. */
const Reader = z.object({ name: z.string(), timezone: z.string() })

const Events = z
  .array(
    z.object({
      action: AuditAction,
      subject: z.string().nullable(),
      clientAddress: z.string().nullable(),
      at: z.iso.datetime(),
    }),
  )
  .min(1)

/** Usage of a span of time. */
export const UsageTotals = z.object({
  requests: z.number().int().nonnegative(),
  /** Status 1 to 399. */
  successes: z.number().int().nonnegative(),
  costNanoUsd: z.number().int().nonnegative(),
})
export type UsageTotals = z.infer<typeof UsageTotals>

export const ModelUsage = z.object({
  model: z.string(),
  requests: z.number().int().nonnegative(),
  costNanoUsd: z.number().int().nonnegative(),
})
export type ModelUsage = z.infer<typeof ModelUsage>

/** The content of a mail; the templates hold the wording. */
export const MailContent = z.discriminatedUnion('kind', [
  Reader.extend({ kind: z.literal('security-alert'), events: Events }),
  Reader.extend({ kind: z.literal('account-activity'), events: Events }),
  /** To the old address, with a link that undoes the change. */
  Reader.extend({
    kind: z.literal('email-changed'),
    newEmail: z.string(),
    clientAddress: z.string().nullable(),
    at: z.iso.datetime(),
  }),
  Reader.extend({
    kind: z.literal('account-deleted'),
    clientAddress: z.string().nullable(),
    at: z.iso.datetime(),
  }),
  Reader.extend({ kind: z.literal('plan-ending'), plan: PlanName, planUntil: z.iso.datetime() }),
  Reader.extend({
    kind: z.literal('usage-report'),
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    totals: UsageTotals,
    /** The week before. */
    before: UsageTotals,
    topModels: z.array(ModelUsage),
  }),
  // Nothing that a stranger could have typed: the address may not be theirs.
  z.object({ kind: z.literal('confirm-email') }),
  z.object({ kind: z.literal('reset-password') }),
])
/** Mails with a secret link. The secret is made when the mail is sent, and never stored. */
export type LinkMailKind = 'confirm-email' | 'reset-password' | 'email-changed'
export type MailContent = z.infer<typeof MailContent>
