import { day } from '#core/units.ts'
import type { Sql, Transaction } from '#core/stores/postgres.ts'
import type { Invalidate } from '#shared/invalidation.ts'
import type { Billing } from '#schemas/billing.ts'
import type { PlanName } from '#schemas/plan-name.ts'
import { isHigherPlan, plans } from '#schemas/plans.ts'
import { type AuditSource, recordAudit } from './audit.ts'
import { changeAccount } from './change-account.ts'
import { type MailReader, readerColumns } from './mails/mail-readers.ts'
import { requireRow } from './require-row.ts'

const graceDays = 3

interface Subscription {
  plan: PlanName
  /** End of the paid time; null if it has none. */
  planUntil: Date | null
  paymentMethod: string | null
}

interface PaidTime {
  from: Date
  until: Date
}

/** Audit source of the worker. */
const system: AuditSource = { clientAddress: null, userAgent: null }

interface EndingPlan extends MailReader {
  accountId: string
  plan: PlanName
  /** The plan that follows. */
  planAfter: PlanName
  planUntil: Date
}

const reminderDays = 3

export type PlanStore = ReturnType<typeof createPlanStore>

export const createPlanStore = (sql: Sql, invalidate: Invalidate) => ({
  async get(accountId: string): Promise<Subscription> {
    const [subscription] = await sql<Subscription[]>`
      select plan, plan_until as "planUntil", payment_method as "paymentMethod" from accounts where id = ${accountId}`
    return requireRow(subscription)
  },

  /** Sets a plan without an end; time that was paid for before is void. */
  set: (accountId: string, plan: PlanName, by: AuditSource): Promise<void> =>
    changeAccount(sql, invalidate, accountId, async (tx) => {
      const changed = await tx`
        update accounts set plan = ${plan}, plan_until = null
        where id = ${accountId} and (plan <> ${plan} or plan_until is not null)`
      if (changed.count === 0) return
      // A later refund must not take the void time from time that is paid for afterwards.
      await tx`update orders set paid_from = null, paid_until = null where account_id = ${accountId}`
      await recordAudit(tx, accountId, 'plan-changed', plans[plan].label, by)
    }),

  /** Only accounts that want this mail and have not received it yet. */
  endingSoon: (): Promise<EndingPlan[]> => sql<EndingPlan[]>`
    select a.id as "accountId", ${readerColumns(sql)}, a.plan, a.plan_after as "planAfter",
      a.plan_until as "planUntil"
    from accounts a left join preferences p on p.account_id = a.id
    where a.plan_until between now() and now() + ${reminderDays} * interval '1 day'
      and coalesce(p.email_notifications, true) and a.email_confirmed_at is not null and a.disabled_at is null
      and not exists (
        select 1 from outgoing_mails m
        where m.account_id = a.id and m.kind = 'plan-ending' and m.created_at > a.plan_until - interval '10 days')
    order by a.plan_until limit 500`,

  /** Ends the plan of accounts whose paid time and grace period are over. Concurrent workers share the work. */
  async expireOverdue(): Promise<number> {
    const expired = await sql.begin(async (tx) => {
      const overdue = await tx<{ id: string; plan: PlanName; planAfter: PlanName }[]>`
        select id, plan, plan_after as "planAfter" from accounts where plan_until < now() - ${graceDays} * interval '1 day'
        order by plan_until limit 500 for update skip locked`
      for (const { id, plan, planAfter } of overdue) {
        await tx`update accounts set plan = plan_after, plan_until = null where id = ${id}`
        const subject = `${plans[planAfter].label}, because the paid time of the ${plans[plan].label} is over`
        await recordAudit(tx, id, 'plan-changed', subject, system)
      }
      return overdue
    })
    await Promise.all(expired.map(({ id }) => invalidate(id)))
    return expired.length
  },
})

/**
 * Call it in the transaction of the payment, which has locked the account. A higher plan, or the same plan without an
 * end, is kept.
 * @returns the added time; undefined if the plan was kept
 */
export async function addPaidMonth(
  tx: Transaction,
  accountId: string,
  { plan, paymentMethod }: { plan: PlanName; paymentMethod: string },
  by: AuditSource,
): Promise<PaidTime | undefined> {
  const [account] = await tx<Omit<Subscription, 'paymentMethod'>[]>`
    select plan, plan_until as "planUntil" from accounts where id = ${accountId}`
  const { plan: before, planUntil } = requireRow(account)
  const keepsPlan = isHigherPlan(before, plan) || (before === plan && planUntil === null)
  if (keepsPlan) return undefined
  const { from, until } = await nextPaidMonth(tx, accountId)
  await tx`
    update accounts set plan = ${plan}, plan_until = ${until}, payment_method = ${paymentMethod},
      plan_after = case when plan_until is null then plan else plan_after end
    where id = ${accountId}`
  if (before !== plan) await recordAudit(tx, accountId, 'plan-changed', plans[plan].label, by)
  return { from, until }
}

/** Months that follow one another are counted from the first one's begin, so that they end on its day, in UTC. */
async function nextPaidMonth(tx: Transaction, accountId: string): Promise<PaidTime> {
  const [month] = await tx<[PaidTime]>`
    with recursive paid as (
      select plan_until as at from accounts where id = ${accountId} and plan_until > now()
      union select paid_from from orders join paid on paid_until = at
      where account_id = ${accountId}
    )
    select coalesce(max(at), now()) as "from",
      (coalesce(min(at), now()) at time zone 'UTC' + greatest(count(*), 1) * interval '1 month') at time zone 'UTC' as until
    from paid`
  return month
}

/**
 * Removes what has not passed of the time that a payment added; if none is left, the plan ends at once. The time of
 * later payments begins earlier by as much.
 */
export async function removePaidTime(tx: Transaction, accountId: string, { from, until }: PaidTime, by: AuditSource) {
  // Whole milliseconds, as in dates of JavaScript: otherwise the next payment would not follow exactly.
  const passed = tx`greatest(${from}::timestamptz, date_trunc('milliseconds', now()))`
  const rest = tx`greatest(${until}::timestamptz - ${passed}, interval '0')`
  await tx`
    update orders set paid_from = paid_from - ${rest}, paid_until = paid_until - ${rest}
    where account_id = ${accountId} and paid_from >= ${until}`
  const [left] = await tx<{ isOver: boolean; planAfter: PlanName }[]>`
    update accounts set plan_until = plan_until - ${rest} where id = ${accountId} and plan_until is not null
    returning plan_until <= now() as "isOver", plan_after as "planAfter"`
  if (!left?.isOver) return
  await tx`update accounts set plan = plan_after, plan_until = null where id = ${accountId}`
  await recordAudit(tx, accountId, 'plan-changed', plans[left.planAfter].label, by)
}

/** `ending` from when the reminder is sent. */
export function paidTimeStatus({ planUntil }: Subscription): Billing['status'] {
  const now = Date.now()
  if (planUntil === null || planUntil.getTime() > now + reminderDays * day) return 'active'
  return planUntil.getTime() > now ? 'ending' : 'grace'
}
