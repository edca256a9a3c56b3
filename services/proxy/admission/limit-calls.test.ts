import { expect, test } from 'vitest'
import { createPlanLimits } from '#shared/plan-limits.ts'
import type { Account } from '../auth/account.ts'
import { LimitCalls } from './limit-calls.ts'
import { createAccountLimits } from './limit-rules.ts'

test('of two renewals that share a call, one takes the lease', async () => {
  const redis = { defineCommand: () => undefined, sallyportLimit: async () => [0, 50, 1_000, 60_000] }
  const calls = new LimitCalls(redis as never, 1_000)
  const account = {
    accountId: 'a',
    plan: 'enterprise',
    rateLimitEnabled: true,
    maxRequestsPerMinute: 10_000,
  } as Account
  const now = Date.now()
  const limits = createAccountLimits(createPlanLimits({}))(account, now)
  // While it is in flight, the others wait for each other.
  const first = calls.count({ ...account }, limits, 0, 0, now)
  const renewals = await Promise.all([
    first,
    calls.count(account, limits, 0, 50, now),
    calls.count(account, limits, 0, 50, now),
  ])
  expect(renewals.slice(1).filter(({ lease }) => lease)).toHaveLength(1)
})
