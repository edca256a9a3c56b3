import { expect, test } from 'vitest'
import { statePatienceMs } from '#core/redis/connections.ts'
import { createQuotaUsageStore } from '#store/redis/quota-usage.ts'
import { atOnce, cacheStatusOf, errorOf, useTestBench } from './gateway.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

const bench = await useTestBench()
const env = { PLAN_LIMITS: '{"basic":{"requestsPerMonth":100}}' }
const { wire, gateway } = await bench.startBreakableGateway('REDIS_STATE_URL', env)

/** A request that waited for Redis would take as long as the timeout of replies that no request waits for, or forever. */
async function chat(account: TestAccount): Promise<Response> {
  const startedAt = performance.now()
  const response = await account.chat(gateway)
  expect(performance.now() - startedAt).toBeLessThan(statePatienceMs.late)
  return response
}
const degraded = ({ headers }: Response) => headers.get('x-sallyport-degraded')

test('while Redis is frozen this gateway counts by itself, says so, and no request waits', async () => {
  const config = { rateLimitEnabled: true, maxRequestsPerMinute: 5 }
  const account = await bench.createTestAccount({ config })
  const cached = await bench.createTestAccount({ config: { ...config, cacheSeconds: 60 } })
  const unlimited = await bench.createTestAccount()
  const twoKeys = await bench.createTestAccount({ keys: ['sk-primary', 'sk-second'] })
  const modelBound = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] } })
  // The gateway knows all of them, and its connections are open.
  for (const known of [account, cached, unlimited, twoKeys, modelBound]) expect((await chat(known)).status).toBe(200)
  await atOnce(20, () => chat(unlimited))
  expect((await chat(account)).headers.get('x-ratelimit-remaining')).toBe('3')

  wire.set('freeze')
  const responses = await atOnce(20, () => chat(account))
  const passed = responses.filter(({ status }) => status === 200)
  expect(passed.map(degraded)).toEqual(['limits', 'limits', 'limits'])
  const rejected = responses.find(({ status }) => status === 429)!
  expect([degraded(rejected), ...(await errorOf(rejected))]).toEqual(['limits', 429, 'rate_limited'])

  // A cache that does not respond counts as a miss.
  for (let time = 0; time < 3; time += 1) {
    const response = await chat(cached)
    expect([response.status, cacheStatusOf(response)]).toEqual([200, 'miss'])
  }
  expect(degraded(await chat(unlimited))).toBeNull()
  // Without Redis, the key that created an object is unknown, so the usual order applies. The token is unknown too.
  expect((await twoKeys.fetch(gateway, '/files/file-1')).status).toBe(404)
  expect(await errorOf(await modelBound.fetch(gateway, '/files/file-1'))).toEqual([503, 'unavailable'])

  wire.set('pass')
  await expect.poll(async () => degraded(await chat(await bench.createTestAccount({ config })))).toBeNull()
})

test('what was counted without Redis counts once it responds, and what it counted too late does not', async () => {
  const usage = createQuotaUsageStore(bench.state)
  const account = await bench.createTestAccount({ plan: 'basic' })
  await chat(account)
  wire.set('freeze')
  const responses = await atOnce(5, () => chat(account))
  expect(responses.every((response) => response.ok && degraded(response) === 'limits')).toBe(true)
  wire.set('pass')
  let sent = 6
  const next = async () => {
    sent += 1
    return degraded(await chat(account))
  }
  await expect.poll(next, { timeout: 5_000 }).toBeNull()
  await expect.poll(() => usage.read(account.accountId), { timeout: 5_000 }).toEqual({ today: 0, month: sent })
})
