import { expect, test } from 'vitest'
import { createQuotaUsageStore } from '#store/redis/quota-usage.ts'
import { atOnce, useTestBench } from './gateway.fixture.ts'

const bench = await useTestBench()
const env = { PLAN_LIMITS: JSON.stringify({ basic: { requestsPerMonth: 3 }, pro: { requestsPerMonth: 10_000 } }) }
const gateways = [await bench.startGateway({ env }), await bench.startGateway({ env })]

test('the usage of a plan is at once what the gateways enforce', async () => {
  const usage = createQuotaUsageStore(bench.state)
  const account = await bench.createTestAccount({ plan: 'basic' })
  expect(await usage.read(account.accountId)).toEqual({ today: 0, month: 0 })
  for (const used of [1, 2, 3, 3]) {
    const { status } = await account.fetch(gateways[used % 2]!, '/models')
    expect([await usage.read(account.accountId), status]).toEqual([{ today: 0, month: used }, expect.any(Number)])
  }
  const free = await bench.createTestAccount({ plan: 'free' })
  await atOnce(8, (index) => free.fetch(gateways[index % 2]!, '/models'))
  expect(await usage.read(free.accountId)).toEqual({ today: 5, month: 0 })
})

test('far from its limit a quota is leased; what was not used counts no longer a second later', async () => {
  const usage = createQuotaUsageStore(bench.state)
  const [gateway] = gateways
  const account = await bench.createTestAccount({ plan: 'pro' })
  const askedBefore = await gateway!.metric('sallyport_proxy_limit_decisions_total{by="redis",rejection="none"}')
  for (let time = 0; time < 200; time += 1) expect((await account.fetch(gateway!, '/models')).status).toBe(200)
  expect((await usage.read(account.accountId)).month).toBeGreaterThanOrEqual(200)
  const asked = await gateway!.metric('sallyport_proxy_limit_decisions_total{by="redis",rejection="none"}')
  expect(asked - askedBefore).toBeLessThan(20)
  await expect.poll(() => usage.read(account.accountId), { timeout: 1_500 }).toEqual({ today: 0, month: 200 })
})
