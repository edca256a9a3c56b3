import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPlanLimits } from '#shared/plan-limits.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import type { Account } from '../auth/account.ts'
import type { Estimate } from './estimate.ts'
import { Limiter } from './limiter.ts'

const token = { tokenId: 't', tokensPerMinute: 1_000, requestsPerMinute: null, maxConcurrentRequests: null }
const unlimited = { plan: 'enterprise', rateLimitEnabled: false, dailyBudgetNanoUsd: null, monthlyBudgetNanoUsd: null }
const account = { accountId: 'a', ...token, ...unlimited } as Account
const estimate = (tokens: number) => ({ tokens, isPriced: true, costNanoUsd: 0, isStream: false }) as Estimate

let limiter: Limiter
beforeEach(() => {
  const redis = new Redis({ lazyConnect: true })
  redis.disconnect()
  limiter = new Limiter(redis, createPlanLimits({}), { limited: () => undefined } as never)
})
afterEach(async () => {
  vi.useRealTimers()
  await limiter.close()
})

test.each([
  ['what a request took, even if it might have taken more than the limit', 700, {}, true],
  ['nothing, if only errors came back', 0, { status: 500, promptTokens: null, completionTokens: null }, false],
])('the limit of tokens a minute counts %s', async (_what, taken, changes, mayHaveCost) => {
  const first = await limiter.reserve(account, estimate(5_000))
  const event = requestEvent({ promptTokens: 400, completionTokens: 300, ...changes })
  limiter.complete(account, first, event, { mayHaveCost, estimatedTokens: 0, hasTextElsewhere: false })
  const { headers } = await limiter.reserve(account, estimate(1))
  expect(headers.find((value) => value.startsWith('"token-tokens";r='))).toContain(`;r=${999 - taken};`)
})

test('requests without Redis still count after its connection is back, for which proxies forget their caches', async () => {
  const limited = { ...account, requestsPerMinute: 10, tokensPerMinute: null }
  await limiter.count(limited)
  limiter.forget(undefined)
  const { headers } = await limiter.count(limited)
  expect(headers.find((value) => value.startsWith('"token-minute";r='))).toContain(';r=8;')
})

test('a stream gets the rest of a budget without Redis, if that covers what it has used', async () => {
  const limited = { ...account, tokensPerMinute: null, dailyBudgetNanoUsd: 1_000 }
  const stream = { ...estimate(1), costNanoUsd: 5_000, initialNanoUsd: 0, tokenNanoUsd: 5, isStream: true }
  const { reservation } = await limiter.reserve(limited, stream)
  await limiter.reserve(limited, { ...estimate(1), costNanoUsd: 870 })
  expect(reservation!.recordCost(90)).toBe(true)
  expect(await reservation!.extend()).toBe(true)
})

test('without Redis, what was spent on the day before counts in the month', async () => {
  const limited = { ...account, tokensPerMinute: null, monthlyBudgetNanoUsd: 1_000 }
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2035-01-10T23:59Z') })
  const { reservation } = await limiter.reserve(limited, { ...estimate(1), costNanoUsd: 900 })
  reservation!.complete(1_000)
  vi.setSystemTime(new Date('2035-01-11T00:01Z'))
  expect(limiter.knownRejection(limited, false)?.rejection).toBe('budget_exceeded')
})

test('requests that cost nothing pass while no tokens are left', async () => {
  await limiter.reserve(account, estimate(1_000))
  expect(limiter.knownRejection(account, false)?.rejection).toBe('token_tokens_limited')
  expect(limiter.knownRejection(account, true)).toBeUndefined()
})
