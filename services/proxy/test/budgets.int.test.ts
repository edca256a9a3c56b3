import { afterAll, expect, test } from 'vitest'
import { whenReady } from '#tools/stack/when-ready.ts'
import { openStateRedis, statePatienceMs } from '#core/redis/connections.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createRedisProcess } from '#tools/stack/redis-process.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { type Gateway, useTestBench } from './gateway.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

const redis = await createRedisProcess(findCommand(['redis-server', 'valkey-server'])!, temporaryFolder(afterAll))
await redis.start()
afterAll(() => redis.stop())
const bench = await useTestBench()
const env = { REDIS_STATE_URL: redis.url }
const [one, other] = [await bench.startGateway({ env }), await bench.startGateway({ env })]

const createAccount = (monthlyBudgetNanoUsd: number) => bench.createTestAccount({ token: { monthlyBudgetNanoUsd } })

async function chat(account: TestAccount, gateway: Gateway) {
  const response = await account.chat(gateway)
  const { error } = (await response.json()) as { error?: { code: string } }
  const { headers } = response
  return {
    headers,
    outcome: error?.code ?? response.status,
    degraded: headers.get('x-sallyport-degraded'),
    costNanoUsd: Math.round(Number(headers.get('x-sallyport-cost-usd')) * 1e9),
  }
}

/** @returns the rejected request, with the cost of all requests before it */
async function chatUntilRejected(account: TestAccount, gateway: Gateway) {
  let costNanoUsd = 0
  for (;;) {
    const sent = await chat(account, gateway)
    costNanoUsd += sent.costNanoUsd
    if (sent.outcome !== 200) return { ...sent, costNanoUsd }
  }
}

test('a budget is enforced while Redis is away, and costs of that time count for all proxies', async () => {
  const known = await createAccount(20_000)
  const shared = await createAccount(100_000)
  const busy = await createAccount(1_000_000_000)
  await chatUntilRejected(known, one)
  const before = await chat(shared, other)
  expect(before.outcome).toBe(200)

  await redis.kill()
  expect(await chat(busy, one)).toMatchObject({ outcome: 200, degraded: 'limits' })
  const rejected = await chat(known, one)
  expect(rejected.outcome).toBe('budget_exceeded')
  expect(rejected.headers.get('x-should-retry')).toBe('false')
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  const meanwhile = await chatUntilRejected(shared, one)
  expect(meanwhile.outcome).toBe('budget_exceeded')

  await redis.start()
  const state = openStateRedis({ redisStateUrl: redis.url }, statePatienceMs.user)
  await whenReady(state)
  const key = `spend:{${shared.accountId}}:${shared.token.id}:${new Date().toISOString().slice(0, 7)}`
  await expect.poll(() => state.get(key)).toBe(String(before.costNanoUsd + meanwhile.costNanoUsd))
  state.disconnect()
  await expect.poll(() => chat(busy, other)).toMatchObject({ outcome: 200, degraded: null })
  await expect.poll(() => chat(shared, other)).toMatchObject({ outcome: 'budget_exceeded', degraded: null })
})
