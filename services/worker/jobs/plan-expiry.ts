import { minute } from '#core/units.ts'
import type { OutboxStore } from '#store/postgres/outbox.ts'
import type { PlanStore } from '#store/postgres/plans.ts'
import type { ScheduledJob } from './schedule.ts'

/** Reminds of paid time that ends soon, and takes accounts back to free when it and the grace are over. */
export const planExpiryJob = (subscriptions: PlanStore, outbox: OutboxStore, hasMailbox: boolean): ScheduledJob => ({
  name: 'plan-expiry',
  everyMs: 10 * minute,
  async run() {
    while ((await subscriptions.expireOverdue()) > 0);
    if (!hasMailbox) return
    for (const { accountId, recipient, planUntil, ...ending } of await subscriptions.endingSoon()) {
      const dedupeKey = planUntil.toISOString()
      const content = { kind: 'plan-ending' as const, ...ending, planUntil: dedupeKey }
      await outbox.add(accountId, { dedupeKey, recipient, content })
    }
  },
})
