import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whenReady } from '#tools/stack/when-ready.ts'
import { openStateRedis, statePatienceMs } from '#core/resources.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createRedisProcess, type RedisProcess } from '#tools/stack/redis-process.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

let bench: TestBench
let folder: string
let redis: RedisProcess
let one: Gateway
let other: Gateway
beforeAll(async () => {
  bench = await openTestBench()
  folder = await mkdtemp(join(tmpdir(), 'sallyport-budgets-'))
  redis = await createRedisProcess(findCommand(['redis-server', 'valkey-server'])!, folder)
  await redis.start()
  const env = { REDIS_STATE_URL: redis.url }
  one = await bench.startGateway({ env })
  other = await bench.startGateway({ env })
})
afterAll(async () => {
  await bench.stop()
  await redis.stop()
  await rm(folder, { recursive: true, force: true })
})

async function ask(account: TestAccount, gateway: Gateway) {
  const answer = await account.chat(gateway)
  const { error } = (await answer.json()) as { error?: { code: string } }
  const { headers } = answer
  return {
    headers,
    outcome: error?.code ?? answer.status,
    degraded: headers.get('x-sallyport-degraded'),
    costNanoUsd: Math.round(Number(headers.get('x-sallyport-cost-usd')) * 1e9),
  }
}

/** Asks until something else than an answer of the provider comes. */
async function askUntilRefused(account: TestAccount, gateway: Gateway) {
  let costNanoUsd = 0
  for (;;) {
    const asked = await ask(account, gateway)
    costNanoUsd += asked.costNanoUsd
    if (asked.outcome !== 200) return { ...asked, costNanoUsd }
  }
}

test('a budget holds while Redis is away, and what is spent meanwhile counts for all proxies', async () => {
  const [known, shared] = await Promise.all([
    bench.createTestAccount({ token: { monthlyBudgetNanoUsd: 20_000 } }),
    bench.createTestAccount({ token: { monthlyBudgetNanoUsd: 100_000 } }),
  ])
  const busy = await bench.createTestAccount({ token: { monthlyBudgetNanoUsd: 1_000_000_000 } })
  await askUntilRefused(known, one)
  const before = await ask(shared, other)
  expect(before.outcome).toBe(200)

  await redis.kill()
  expect(await ask(busy, one)).toMatchObject({ outcome: 200, degraded: 'limits' })
  const refused = await ask(known, one)
  expect(refused.outcome).toBe('budget_exceeded')
  expect(refused.headers.get('x-should-retry')).toBe('false')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  const meanwhile = await askUntilRefused(shared, one)
  expect(meanwhile.outcome).toBe('budget_exceeded')

  await redis.start()
  const state = openStateRedis({ redisStateUrl: redis.url }, statePatienceMs.person)
  await whenReady(state)
  const key = `spend:{${shared.accountId}}:${shared.token.id}:${new Date().toISOString().slice(0, 7)}`
  await expect.poll(() => state.get(key)).toBe(String(before.costNanoUsd + meanwhile.costNanoUsd))
  state.disconnect()
  await expect.poll(() => ask(busy, other)).toMatchObject({ outcome: 200, degraded: null })
  await expect.poll(() => ask(shared, other)).toMatchObject({ outcome: 'budget_exceeded', degraded: null })
})
