import { expect, test } from 'vitest'
import { createQuotaUsageStore } from '#store/redis/quota-usage.ts'
import { atOnce, useTestBench } from './gateway.fixture.ts'

const bench = await useTestBench()
const env = { PLAN_LIMITS: JSON.stringify({ basic: { requestsPerMonth: 3 } }) }
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
