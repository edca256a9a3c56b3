import { minute } from '#core/units.ts'
import type { OutboxStore } from '#store/postgres/mails/outbox.ts'
import type { PlanStore } from '#store/postgres/plans.ts'
import type { ScheduledJob } from './schedule.ts'

/** Sends reminders of paid time that ends soon, and downgrades accounts after it and the grace period. */
export const planExpiryJob = (plans: PlanStore, outbox: OutboxStore, hasMailbox: boolean): ScheduledJob => ({
  name: 'plan-expiry',
  everyMs: 10 * minute,
  async run() {
    while ((await plans.expireOverdue()) > 0);
    if (!hasMailbox) return
    for (const { accountId, recipient, planUntil, ...ending } of await plans.endingSoon()) {
      const dedupeKey = planUntil.toISOString()
      const content = { kind: 'plan-ending' as const, ...ending, planUntil: dedupeKey }
      await outbox.add(accountId, { dedupeKey, recipient, content })
    }
  },
})
