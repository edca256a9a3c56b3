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

test('what a request took counts, even if it might have taken more than the limit', async () => {
  const redis = new Redis({ lazyConnect: true })
  redis.disconnect()
  const limiter = new Limiter(redis, createPlanLimits({}), { limited: () => undefined } as never)
  const first = await limiter.reserve(account, estimate(5_000))
  const event = requestEvent({ promptTokens: 400, completionTokens: 300 })
  limiter.complete(account, first, event, { mayHaveCost: true, estimatedTokens: 0 })
  const rejections = [400, 300].map(async (tokens) => (await limiter.reserve(account, estimate(tokens))).rejection)
  expect(await Promise.all(rejections)).toEqual(['token_tokens_limited', undefined])
  await limiter.close()
})
