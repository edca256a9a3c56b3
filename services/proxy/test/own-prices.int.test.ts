import { expect, test } from 'vitest'
import { useTestBench } from './gateway.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()

test('a price that an account sets holds for its next requests, and for no other account', async () => {
  const [owner, other] = [await bench.createTestAccount(), await bench.createTestAccount()]
  const cost = async (account: typeof owner) =>
    Number((await account.chat(gateway)).headers.get('x-sallyport-cost-usd') ?? Number.NaN)
  expect(await cost(owner)).toBeLessThan(0.25)
  const price = { pattern: 'gpt-4o-*', input: 0, cachedInput: null, output: 0, perRequest: 0.25 }
  await owner.addPrice(price)
  await expect.poll(() => cost(owner)).toBe(0.25)
  expect(await cost(other)).toBeLessThan(0.25)
})
