import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dayEndsAtMs, monthEndsAtMs } from '#core/period.ts'
import { mib, second } from '#core/units.ts'
import { createQuotaUsageStore } from '#store/redis/quota-usage.ts'
import { atOnce, errorOf, type Gateway, useTestBench } from './gateway.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

const bench = await useTestBench()
const env = { PLAN_LIMITS: JSON.stringify({ basic: { requestsPerMonth: 2 }, pro: { requestsPerMonth: 10_000 } }) }
const [one, other] = [await bench.startGateway({ env }), await bench.startGateway({ env })]
const usage = createQuotaUsageStore(bench.state)

const form = (model: string) => `--b\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n--b--\r\n`
const send = (account: TestAccount, gateway: Gateway = one) => account.fetch(gateway, '/models')
const limitHeaders = ({ headers }: Response) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
const retryAfter = ({ headers }: Response) => Number(headers.get('retry-after'))
const sendTimes = async (times: number, account: TestAccount, gateways = [one]): Promise<number[]> =>
  (await atOnce(times, (index) => send(account, gateways[index % gateways.length]))).map(({ status }) => status)
/** Number of requests that a gateway accepted without asking Redis. */
const acceptedLocally = (gateway: Gateway) =>
  gateway.metric('sallyport_proxy_limit_decisions_total{by="local",rejection="none"}')
const allowed = (statuses: number[]) => statuses.filter((status) => status === 200).length

describe('requests a minute', () => {
  const config = { rateLimitEnabled: true, maxRequestsPerMinute: 3 }

  test('are limited over all gateways; every response says what is left', async () => {
    const account = await bench.createTestAccount({ config })
    for (const [gateway, left] of [
      [one, 2],
      [other, 1],
      [one, 0],
    ] as const) {
      const response = await send(account, gateway)
      const [limit, remaining, reset] = limitHeaders(response)
      expect([response.status, limit, remaining]).toEqual([200, 3, left])
      expect(reset).toBeGreaterThan(0)
      expect(reset).toBeLessThanOrEqual(60)
    }
    for (const gateway of [one, other]) {
      const rejected = await send(account, gateway)
      expect(limitHeaders(rejected).slice(0, 2)).toEqual([3, 0])
      expect(retryAfter(rejected)).toBeGreaterThan(0)
      expect(retryAfter(rejected)).toBeLessThanOrEqual(60)
      expect(await errorOf(rejected)).toEqual([429, 'rate_limited'])
      const event = await bench.events.of(rejected)
      expect(event).toMatchObject({ status: 429, attempts: 0, outcome: 'completed' })
    }
  })

  test('a large limit is reserved in advance: exactly as many requests pass as it allows', async () => {
    const account = await bench.createTestAccount({ config: { ...config, maxRequestsPerMinute: 700 } })
    expect(await sendTimes(1, account, [other])).toEqual([200])
    const locallyBefore = await acceptedLocally(one)
    const statuses: number[] = []
    for (let time = 0; time < 200; time += 1) statuses.push((await send(account)).status)
    expect((await acceptedLocally(one)) - locallyBefore).toBeGreaterThan(100)
    for (let time = 0; time < 11; time += 1) statuses.push(...(await sendTimes(50, account)))
    // The other gateway still has the rest of its reservation.
    const passed = allowed(statuses)
    expect(passed).toBeGreaterThan(699 * (1 - 1 / 64) - 1)
    expect(passed + allowed(await sendTimes(50, account, [other]))).toBe(699)
  })

  test('a raised limit takes effect at once', async () => {
    const account = await bench.createTestAccount({ config: { ...config, maxRequestsPerMinute: 1 } })
    expect(await sendTimes(2, account)).toEqual(expect.arrayContaining([200, 429]))
    await account.configure({ maxRequestsPerMinute: 5 })
    await expect.poll(async () => (await send(account)).status).toBe(200)
  })

  test('a request counts once, however often it is retried', async () => {
    const account = await bench.createTestAccount({
      config: { ...config, retryAttempts: 2 },
      keys: ['sk-down.status=500'],
    })
    expect(limitHeaders(await send(account))[1]).toBe(2)
    expect(limitHeaders(await send(account))[1]).toBe(1)
  })
})

const secondsUntil = (endsAtMs: (now: number) => number) => Math.ceil((endsAtMs(Date.now()) - Date.now()) / second)

describe('quota of the plan', () => {
  // Not at another time, which ids that are created then would keep for all tests of the process.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  test('five a UTC day on Free; the sixth has to wait until midnight and not to retry', async () => {
    const account = await bench.createTestAccount({ plan: 'free' })
    for (let left = 4; left >= 0; left -= 1) {
      const response = await send(account, left % 2 ? one : other)
      expect([response.status, ...limitHeaders(response).slice(0, 2)]).toEqual([200, 5, left])
    }
    const rejected = await send(account)
    expect(retryAfter(rejected)).toBe(secondsUntil(dayEndsAtMs))
    expect(rejected.headers.get('x-should-retry')).toBe('false')
    expect(await errorOf(rejected)).toEqual([429, 'quota_exceeded'])
  })

  test("a month's quota, with the limits of the operator; a larger plan works at once", async () => {
    const account = await bench.createTestAccount({ plan: 'basic' })
    expect(await sendTimes(3, account)).toEqual(expect.arrayContaining([200, 200, 429]))
    const rejected = await send(account)
    expect(limitHeaders(rejected).slice(0, 2)).toEqual([2, 0])
    expect(retryAfter(rejected)).toBe(secondsUntil(monthEndsAtMs))
    await account.setPlan('pro')
    await expect.poll(async () => (await send(account)).status).toBe(200)
  })

  test('its usage is at once what the gateways enforce', async () => {
    const { accountId, fetch } = await bench.createTestAccount({ plan: 'basic' })
    expect(await usage.read(accountId)).toEqual({ today: 0, month: 0 })
    for (const used of [1, 2, 2]) {
      await fetch(used % 2 ? one : other, '/models')
      expect(await usage.read(accountId)).toEqual({ today: 0, month: used })
    }
    const free = await bench.createTestAccount({ plan: 'free' })
    await sendTimes(8, free, [one, other])
    expect(await usage.read(free.accountId)).toEqual({ today: 5, month: 0 })
  })

  test('far from its limit it is leased; what was not used counts no longer a second later', async () => {
    const account = await bench.createTestAccount({ plan: 'pro' })
    const locallyBefore = await acceptedLocally(one)
    for (let time = 0; time < 100; time += 1) expect((await send(account)).status).toBe(200)
    expect((await usage.read(account.accountId)).month).toBeGreaterThanOrEqual(100)
    expect((await acceptedLocally(one)) - locallyBefore).toBeGreaterThan(80)
    await expect.poll(() => usage.read(account.accountId)).toEqual({ today: 0, month: 100 })
  })

  test('rejected requests do not use it', async () => {
    const config = { rateLimitEnabled: true, maxRequestsPerMinute: 2 }
    const account = await bench.createTestAccount({ plan: 'free', config, token: { models: ['gpt-4o'] } })
    expect((await account.chat(one, { model: 'gpt-4.1' })).status).toBe(403)
    expect((await account.fetch(one, '/a%2e%2eb')).status).toBe(400)
    await account.changeToken(account.token.id, { models: null })
    await expect.poll(async () => (await account.chat(one)).status).toBe(200)
    expect(allowed(await sendTimes(20, account, [one, other]))).toBe(1)
    await account.configure({ rateLimitEnabled: false })
    await expect.poll(async () => (await send(account)).headers.get('x-ratelimit-limit')).toBe('5')
    expect(limitHeaders(await send(account))[1]).toBe(1)
  })
})

test.each([
  ['requests a minute', { config: { rateLimitEnabled: true, maxRequestsPerMinute: 3 } }, 2],
  ['quota', { plan: 'free' as const }, 4],
])(
  'row 44: 100 at once over two gateways with one left of the %s: exactly one passes',
  async (_limit, options, used) => {
    const account = await bench.createTestAccount(options)
    expect(allowed(await sendTimes(used, account))).toBe(used)
    expect(allowed(await sendTimes(100, account, [one, other]))).toBe(1)
  },
)

describe('restrictions of a token', () => {
  test('a monthly budget: what was spent stops the next request on every gateway', async () => {
    const account = await bench.createTestAccount({ token: { monthlyBudgetNanoUsd: 20_000 } })
    expect((await account.chat(one)).status).toBe(200)
    await expect.poll(async () => (await account.chat(other)).status).toBe(429)
    const rejected = await account.chat(one)
    expect(rejected.headers.get('x-should-retry')).toBe('false')
    expect(retryAfter(rejected)).toBeGreaterThan(0)
    expect(await errorOf(rejected)).toEqual([429, 'budget_exceeded'])

    await account.changeToken(account.token.id, { monthlyBudgetNanoUsd: null })
    await expect.poll(async () => (await account.chat(one)).status).toBe(200)
  })

  test('a budget of zero allows nothing', async () => {
    const account = await bench.createTestAccount({ token: { monthlyBudgetNanoUsd: 0 } })
    expect(await errorOf(await account.chat(one))).toEqual([429, 'budget_exceeded'])
  })

  test('addresses', async () => {
    const account = await bench.createTestAccount({ token: { allowedAddresses: ['203.0.113.0/24', '2001:db8::1'] } })
    expect(await errorOf(await send(account))).toEqual([403, 'address_not_allowed'])
    await account.changeToken(account.token.id, { allowedAddresses: ['127.0.0.0/8'] })
    await expect.poll(async () => (await send(account)).status).toBe(200)
  })

  test('models; a request without a model, or with an ambiguous one, is rejected too', async () => {
    const account = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'], requestsPerMinute: 60 } })
    const nested = { messages: [{ role: 'user', content: '{"model":"gpt-4o"}' }], metadata: { model: 'x' } }
    for (const body of [{}, nested]) expect((await account.chat(one, body)).status).toBe(200)
    for (const [status, body] of [
      [403, '{"model":"gpt-4o"}'],
      [403, '{"messages":[]}'],
      [403, '[{"model":"gpt-4o-mini"}]'],
      [403, 'no json'],
      [400, '{"model":"gpt-4o","messages":[{"role":"user","content":"Hi"}],"model":"gpt-4o-mini"}'],
      [400, String.raw`{"\u006dodel":"gpt-4o","messages":[],"model":"gpt-4o-mini"}`],
    ] as const) {
      const code = status === 403 ? 'model_not_allowed' : 'ambiguous_model'
      expect([body, ...(await errorOf(await account.chat(one, {}, { body })))]).toEqual([body, status, code])
    }
    // Counted by Redis, and then by leases.
    for (const model of ['gpt-4o', 'gpt-4o', 'gpt-4o']) {
      const { headers } = await account.chat(one, { model })
      expect(headers.get('x-ratelimit-remaining')).toBe('58')
    }
    // Azure uses the deployment in the path, whatever the body names.
    const named = JSON.stringify({ model: 'gpt-4o-mini' })
    for (const path of ['/deployments/gpt-4o/chat/completions', '/%64eployments/gpt-4o/chat/completions'])
      expect(await errorOf(await account.post(one, path, named))).toEqual([403, 'model_not_allowed'])
  })

  test('models; what else is named in a body must be readable, even if the path names the model', async () => {
    const account = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] } })
    const path = '/deployments/gpt-4o-mini/chat/completions'
    const chat = { messages: [{ role: 'user', content: 'Hi' }] }
    const codeOf = async (...sent: [RequestInit['body'], { 'content-type': string }]) =>
      (await errorOf(await account.post(one, path, ...sent)))[1]
    const json = JSON.stringify({ ...chat, fallbacks: ['gpt-4o'] })
    const types = { 'content-type': 'application/json' }
    const gzipped = { ...types, 'content-encoding': 'gzip' }
    for (const [body, headers] of [
      [json, types],
      [gzipSync(json), gzipped],
      [Buffer.from(json, 'utf16le'), types],
      [' '.repeat(11 * mib) + json, types],
    ] as const)
      expect(await codeOf(body, headers)).toBe('model_not_allowed')
    // The sample provider knows no deployments, so its own error shows that a request was forwarded.
    const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const [body, headers] of [
      [JSON.stringify(chat), types],
      [form('any').padEnd(11 * mib), multipart],
    ] as const)
      expect(await codeOf(body, headers)).not.toBe('model_not_allowed')
  })

  test('models; a form of an allowed model is sent, and the list of models is filtered', async () => {
    const account = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] } })
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    // The sample provider accepts no form here, so its own error shows that the form was forwarded.
    const [, code] = await errorOf(await account.post(one, '/things', form('gpt-4o-mini'), headers))
    expect(['ambiguous_model', 'model_not_allowed']).not.toContain(code)
    const rejected = await account.post(one, '/things', form('gpt-4o'), headers)
    expect(await errorOf(rejected)).toEqual([403, 'model_not_allowed'])
    const listed = await send(account)
    expect([listed.status, await listed.json()]).toMatchObject([200, { object: 'list' }])
    expect((await account.fetch(one, '/models/gpt-4o-mini')).status).toBe(200)
    for (const path of ['/models/gpt-4o', '/files']) expect((await account.fetch(one, path)).status).toBe(403)
  })
})
