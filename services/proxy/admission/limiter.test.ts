import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { createPlanLimits } from '#shared/plan-limits.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import type { Account } from '../auth/account.ts'
import type { Estimate } from './estimate.ts'
import { Limiter } from './limiter.ts'

const token = { tokenId: 't', tokensPerMinute: 1_000, requestsPerMinute: null, maxConcurrentRequests: null }
const unlimited = { plan: 'enterprise', rateLimitEnabled: false, dailyBudgetNanoUsd: null, monthlyBudgetNanoUsd: null }
const account = { accountId: 'a', ...token, ...unlimited } as Account
const estimate = (tokens: number) => ({ tokens, isPriced: true, costNanoUsd: 0, isStream: false }) as Estimate

test.each([
  ['what a request took, even if it might have taken more than the limit', 700, {}, true],
  ['nothing, if only errors came back', 0, { status: 500, promptTokens: null, completionTokens: null }, false],
])('the limit of tokens a minute counts %s', async (_what, taken, changes, mayHaveCost) => {
  const redis = new Redis({ lazyConnect: true })
  redis.disconnect()
  const limiter = new Limiter(redis, createPlanLimits({}), { limited: () => undefined } as never)
  const first = await limiter.reserve(account, estimate(5_000))
  const event = requestEvent({ promptTokens: 400, completionTokens: 300, ...changes })
  limiter.complete(account, first, event, { mayHaveCost, estimatedTokens: 0, hasTextElsewhere: false })
  const { headers } = await limiter.reserve(account, estimate(1))
  expect(headers.find((value) => value.startsWith('"token-tokens";r='))).toContain(`;r=${999 - taken};`)
  await limiter.close()
})

test('requests without Redis still count after its connection is back, for which proxies forget their caches', async () => {
  const redis = new Redis({ lazyConnect: true })
  redis.disconnect()
  const limiter = new Limiter(redis, createPlanLimits({}), { limited: () => undefined } as never)
  const limited = { ...account, requestsPerMinute: 10, tokensPerMinute: null }
  await limiter.count(limited)
  limiter.forget(undefined)
  const { headers } = await limiter.count(limited)
  expect(headers.find((value) => value.startsWith('"token-minute";r='))).toContain(';r=8;')
  await limiter.close()
})

test('a stream gets the rest of a budget without Redis, if that covers what it has used', async () => {
  const redis = new Redis({ lazyConnect: true })
  redis.disconnect()
  const limiter = new Limiter(redis, createPlanLimits({}), { limited: () => undefined } as never)
  const limited = { ...account, tokensPerMinute: null, dailyBudgetNanoUsd: 1_000 }
  const stream = { ...estimate(1), costNanoUsd: 5_000, initialNanoUsd: 0, tokenNanoUsd: 5, isStream: true }
  const { reservation } = await limiter.reserve(limited, stream)
  await limiter.reserve(limited, { ...estimate(1), costNanoUsd: 870 })
  expect(reservation!.recordCost(90)).toBe(true)
  expect(await reservation!.extend()).toBe(true)
  await limiter.close()
})
