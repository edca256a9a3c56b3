import { expect, test } from 'vitest'
import { hour, minute } from '#core/units.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import type { Account } from '../auth/account.ts'
import { accept, rejectAtLimit } from './decision.ts'
import { createAccountLimits } from './limit-rules.ts'

const now = Date.UTC(2026, 10, 20, 23)
const limitsOf = createAccountLimits(createPlanLimits({ free: { requestsPerDay: 100, requestsPerMonth: 1_000 } }))
const account = {
  accountId: 'a',
  tokenId: 't',
  plan: 'free',
  rateLimitEnabled: true,
  maxRequestsPerMinute: 60,
  requestsPerMinute: 10,
  tokensPerMinute: 2_000,
} as Account
const limits = limitsOf(account, now)

test('the limits of a day end at midnight, also for an account that is still cached', () => {
  expect(limitsOf(account, now + hour - 1)).toBe(limits)
  expect(limitsOf(account, now + hour).rules[1]?.key).not.toBe(limits.rules[1]?.key)
})

/** @param left remaining amount of each limit, in the order of the rules */
const windows = (left: readonly number[]) =>
  limits.rules.map((rule, at) => ({ rule, used: rule.limit - left[at]!, endsAtMs: rule.endsAtMs ?? now + minute }))
const fieldsOf = (headers: readonly string[]) =>
  Object.fromEntries(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]]] : [])))

test.each([
  ['of the account', [1, 90, 900, 9, 1_900], '"account-minute";r=1;t=60', '1'],
  ['of the day', [50, 3, 900, 9, 1_900], '"plan-day";r=3;t=3600', '3'],
  ['of the month', [50, 90, 2, 9, 1_900], '"plan-month";r=2;t=867600', '2'],
  ['of the token', [50, 90, 900, 0, 1_900], '"token-minute";r=0;t=60', '0'],
  ['of tokens, which are no requests', [50, 90, 900, 9, 5], '"token-tokens";r=5;t=60', '9'],
])('the fields describe the nearest limit: %s', (_name, left, nearest, fewest) => {
  expect(fieldsOf(accept(windows(left), limits, now, 'redis').headers)).toMatchObject({
    ratelimit: nearest,
    'ratelimit-policy':
      '"account-minute";q=60;w=60, "plan-day";q=100;w=86400, "plan-month";q=1000, "token-minute";q=10;w=60, "token-tokens";q=2000;qu="tokens";w=60',
    'x-ratelimit-remaining': fewest,
  })
})

test('a request waits for the last of all limits that have no room for it', () => {
  const { rejection, detail, headers } = rejectAtLimit(windows([0, 0, 1, 0, 1_900]), limits, now)
  expect(rejection).toBe('quota_exceeded')
  expect(detail).toBe('Limit plan-day: 0 of 100 requests are left, and it renews in 3600 s.')
  expect(fieldsOf(headers)).toMatchObject({ 'retry-after': String(hour / 1_000), 'x-should-retry': 'false' })
  expect(rejectAtLimit(windows([0, 90, 900, 9, 1_900]), limits, now).headers).not.toContain('x-should-retry')
})

test('a request that wants more tokens than are left is rejected; more than the limit are all of them', () => {
  expect(rejectAtLimit(windows([50, 90, 900, 9, 100]), limits, now, 101).rejection).toBe('token_tokens_limited')
  expect(rejectAtLimit(windows([50, 90, 900, 9, 1_999]), limits, now, 1e9).detail).toContain('1999 of 2000 tokens')
})
