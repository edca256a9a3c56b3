import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

let bench: TestBench
let one: Gateway
let other: Gateway
beforeAll(async () => {
  bench = await openTestBench()
  const env = { PLAN_LIMITS: JSON.stringify({ basic: { requestsPerMonth: 2 } }) }
  one = await bench.startGateway({ env })
  other = await bench.startGateway({ env })
})
afterAll(() => bench.stop())

const ask = (account: TestAccount, gateway: Gateway = one) => account.fetch(gateway, '/models')
const limitHeaders = ({ headers }: Response) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
async function codeOf(answer: Response): Promise<string> {
  const { error } = (await answer.json()) as { error: { code: string; message: string } }
  expect(error.message.length).toBeGreaterThan(20)
  return error.code
}
async function askTimes(times: number, account: TestAccount, gateways: Gateway[] = [one]): Promise<number[]> {
  const answers = Array.from({ length: times }, (_, at) => ask(account, gateways[at % gateways.length]))
  return (await Promise.all(answers)).map(({ status }) => status)
}
/** Requests that a gateway let through without asking Redis. */
const knownBy = (gateway: Gateway) => gateway.metric('sallyport_proxy_limit_decisions_total{by="local",refusal="none"}')
const allowed = (statuses: number[]) => statuses.filter((status) => status === 200).length

describe('requests a minute', () => {
  const config = { rateLimitEnabled: true, maxRequestsPerMinute: 3 }

  test('as many as the account allows, over all gateways; every answer says what is left', async () => {
    const account = await bench.createTestAccount({ config })
    for (const [gateway, left] of [
      [one, 2],
      [other, 1],
      [one, 0],
    ] as const) {
      const answer = await ask(account, gateway)
      const [limit, remaining, reset] = limitHeaders(answer)
      expect([answer.status, limit, remaining]).toEqual([200, 3, left])
      expect(reset).toBeGreaterThan(0)
      expect(reset).toBeLessThanOrEqual(60)
    }
    for (const gateway of [one, other]) {
      const refused = await ask(account, gateway)
      expect(refused.status).toBe(429)
      expect(limitHeaders(refused).slice(0, 2)).toEqual([3, 0])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(await codeOf(refused)).toBe('rate_limited')
      const event = await bench.events.of(refused.headers.get('x-request-id'))
      expect(event).toMatchObject({ status: 429, attempts: 0, outcome: 'completed' })
    }
  })

  test('row 44: 100 at once over two gateways at a remaining budget of one: exactly one wins', async () => {
    const account = await bench.createTestAccount({ config })
    expect(await askTimes(2, account)).toEqual([200, 200])
    expect(allowed(await askTimes(100, account, [one, other]))).toBe(1)
  })

  test('many at once over two gateways: as many as are left, and each is told its own place', async () => {
    const account = await bench.createTestAccount({ config: { rateLimitEnabled: true, maxRequestsPerMinute: 10 } })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => ask(account, at % 2 ? one : other)))
    const passed = answers.filter(({ status }) => status === 200)
    const left = passed.map((answer) => limitHeaders(answer)[1]!)
    expect(left.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('a large limit is given out in advance: as many pass as it allows, and not one more', async () => {
    const account = await bench.createTestAccount({ config: { rateLimitEnabled: true, maxRequestsPerMinute: 1_000 } })
    expect(await askTimes(1, account, [other])).toEqual([200])
    const statuses: number[] = []
    for (let time = 0; time < 1_100; time += 1) statuses.push((await ask(account)).status)
    expect(await knownBy(one)).toBeGreaterThan(100)
    // The other gateway has the rest of what it was given.
    const passed = allowed(statuses)
    expect(passed).toBeGreaterThan(999 * (1 - 1 / 64) - 1)
    expect(passed + allowed(await askTimes(50, account, [other]))).toBe(999)
  })

  test('a limit that is raised holds at once', async () => {
    const account = await bench.createTestAccount({ config: { ...config, maxRequestsPerMinute: 1 } })
    expect(await askTimes(2, account)).toEqual(expect.arrayContaining([200, 429]))
    await account.configure({ maxRequestsPerMinute: 5 })
    await expect.poll(async () => (await ask(account)).status).toBe(200)
  })

  test('a request counts once, however often it is tried', async () => {
    const account = await bench.createTestAccount({
      config: { ...config, retryAttempts: 2 },
      keys: ['sk-down.status=500'],
    })
    expect(limitHeaders(await ask(account))[1]).toBe(2)
    expect(limitHeaders(await ask(account))[1]).toBe(1)
  })
})

describe('quota of the plan', () => {
  test('five a UTC day on Free; the sixth is told to wait until midnight and not to retry', async () => {
    const account = await bench.createTestAccount({ plan: 'free' })
    for (let left = 4; left >= 0; left -= 1) {
      const answer = await ask(account, left % 2 ? one : other)
      expect([answer.status, ...limitHeaders(answer).slice(0, 2)]).toEqual([200, 5, left])
    }
    const refused = await ask(account)
    const secondsToMidnight = (day - (Date.now() % day)) / 1_000
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeCloseTo(secondsToMidnight, -1)
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(await codeOf(refused)).toBe('quota_exceeded')
  })

  test("a month's quota, with the limits of the operator; a larger plan works at once", async () => {
    const account = await bench.createTestAccount({ plan: 'basic' })
    expect(await askTimes(3, account)).toEqual(expect.arrayContaining([200, 200, 429]))
    const refused = await ask(account)
    expect(limitHeaders(refused).slice(0, 2)).toEqual([2, 0])
    const now = new Date()
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
    expect(Number(refused.headers.get('retry-after'))).toBeCloseTo((nextMonth - Date.now()) / 1_000, -1)
    await account.setPlan('pro')
    await expect.poll(async () => (await ask(account)).status).toBe(200)
  })

  test('row 44: 100 at once over two gateways at a remaining quota of one: exactly one wins', async () => {
    const account = await bench.createTestAccount({ plan: 'free' })
    expect(await askTimes(4, account)).toEqual([200, 200, 200, 200])
    expect(allowed(await askTimes(100, account, [one, other]))).toBe(1)
  })

  test('what is refused does not use it', async () => {
    const config = { rateLimitEnabled: true, maxRequestsPerMinute: 2 }
    const account = await bench.createTestAccount({ plan: 'free', config, token: { models: ['gpt-4o'] } })
    expect((await account.chat(one, { model: 'gpt-4.1' })).status).toBe(403)
    expect((await account.fetch(one, '/a%2fb')).status).toBe(400)
    await account.changeToken(account.token.id, { models: null })
    await expect.poll(async () => (await account.chat(one)).status).toBe(200)
    expect(allowed(await askTimes(20, account, [one, other]))).toBe(1)
    await account.configure({ rateLimitEnabled: false })
    await expect.poll(async () => (await ask(account)).headers.get('x-ratelimit-limit')).toBe('5')
    expect(limitHeaders(await ask(account))[1]).toBe(1)
  })
})

describe('bounds of a token', () => {
  test('a monthly budget: what was spent stops the next request on every gateway', async () => {
    const account = await bench.createTestAccount({ token: { monthlyBudgetNanoUsd: 20_000 } })
    expect((await account.chat(one)).status).toBe(200)
    await expect.poll(async () => (await account.chat(other)).status).toBe(429)
    const refused = await account.chat(one)
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await codeOf(refused)).toBe('budget_exceeded')

    await account.changeToken(account.token.id, { monthlyBudgetNanoUsd: null })
    await expect.poll(async () => (await account.chat(one)).status).toBe(200)
  })

  test('a budget of nothing lets nothing through', async () => {
    const account = await bench.createTestAccount({ token: { monthlyBudgetNanoUsd: 0 } })
    expect(await codeOf(await account.chat(one))).toBe('budget_exceeded')
  })

  test('addresses', async () => {
    const account = await bench.createTestAccount({ token: { allowedAddresses: ['203.0.113.0/24', '2001:db8::1'] } })
    const refused = await ask(account)
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'address_not_allowed'])
    await account.changeToken(account.token.id, { allowedAddresses: ['127.0.0.0/8'] })
    await expect.poll(async () => (await ask(account)).status).toBe(200)
  })

  test('models; a request that does not say which one it means is refused too', async () => {
    const account = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] } })
    expect((await account.chat(one)).status).toBe(200)
    for (const body of ['{"model":"gpt-4o"}', '{"messages":[]}', '[{"model":"gpt-4o-mini"}]', 'no json']) {
      const refused = await account.chat(one, {}, { body })
      expect([body, refused.status, await codeOf(refused)]).toEqual([body, 403, 'model_not_allowed'])
    }
  })

  test('models: a body that two parsers could read as two different models is refused', async () => {
    const account = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] } })
    for (const body of [
      '{"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}],"model":"gpt-4o-mini"}',
      String.raw`{"\u006dodel":"gpt-4o","messages":[],"model":"gpt-4o-mini"}`,
      '{"Model":"gpt-4o","messages":[],"model":"gpt-4o-mini"}',
    ]) {
      const refused = await account.chat(one, {}, { body })
      expect([body, refused.status]).toEqual([body, 400])
    }
    const nested = { messages: [{ role: 'user', content: '{"model":"gpt-4o"}' }], metadata: { model: 'x' } }
    expect((await account.chat(one, nested)).status).toBe(200)
  })
})
