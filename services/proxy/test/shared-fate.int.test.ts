import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { startNameServer } from '#tools/stack/name-server.ts'
import { product } from '#schemas/product.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { head, RawConnection } from './raw-http.fixture.ts'
import { startRawUpstream } from './raw-upstream.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await openTestBench()
})
afterAll(() => bench.stop())

const ask = (account: TestAccount, gateway: Gateway) => account.fetch(gateway, '/models')
const limits = (account: object) => ({ env: { ACCOUNT_LIMITS: JSON.stringify(account) } })

async function codeOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { error: { code: string } }).error.code
}

/** A provider that takes requests and never answers. */
const startSilentUpstream = () => startRawUpstream(() => undefined)

describe('row 50: a base URL that leads to the gateway itself', () => {
  test('is found out after one hop, whatever it is called and however often it would be tried again', async () => {
    const gateway = await bench.startGateway()
    const account = await bench.createTestAccount({ config: { retryAttempts: 3 } })
    const { port } = gateway
    for (const address of [gateway.origin, `http://[::ffff:127.0.0.1]:${port}`, `http://localhost:${port}`]) {
      const { origin } = new URL(address)
      const rejected = await gateway.metric('sallyport_proxy_refused_total{code="loop_detected"}')
      await account.configure({ baseUrl: `${origin}${product.proxyPath}/v1` })
      await account.addKey(account.token.secret, { isPrimary: true, origin })
      const answer = await ask(account, gateway)
      expect([answer.status, await codeOf(answer)]).toEqual([508, 'loop_detected'])
      expect(await gateway.metric('sallyport_proxy_refused_total{code="loop_detected"}')).toBe(rejected + 1)
    }
  })

  test('is found out when another gateway of the installation is in between', async () => {
    const [one, other] = [await bench.startGateway(), await bench.startGateway()]
    const [first, second] = [await bench.createTestAccount(), await bench.createTestAccount()]
    await first.configure({ baseUrl: other.baseURL, retryAttempts: 0 })
    await first.addKey(second.token.secret, { isPrimary: true, origin: other.origin })
    await second.configure({ baseUrl: one.baseURL, retryAttempts: 0 })
    await second.addKey(first.token.secret, { isPrimary: true, origin: one.origin })
    expect((await ask(first, one)).status).toBe(508)
  })
})

describe('row 52: a name whose DNS never answers', () => {
  test('is the matter of its account alone, and fails in time', async () => {
    const nameServer = await startNameServer({ 'black-hole.example.com': 'silent' })
    const gateway = await bench.startGateway({ env: { DNS_SERVERS: nameServer.address } })
    const origin = 'http://black-hole.example.com'
    const [greedy, other] = [
      await bench.createTestAccount({ plan: 'enterprise', config: { rateLimitEnabled: false, retryAttempts: 0 } }),
      await bench.createTestAccount({ plan: 'enterprise' }),
    ]
    await greedy.configure({ baseUrl: origin })
    await greedy.addKey('sk-of-a-black-hole', { isPrimary: true, origin })
    const stuck = Array.from({ length: 100 }, () => ask(greedy, gateway))
    const slowest = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const before = performance.now()
        expect((await ask(other, gateway)).status).toBe(200)
        return performance.now() - before
      }),
    )
    // Far from the five seconds after which the name is given up.
    expect(Math.max(...slowest)).toBeLessThan(4_000)
    const answers = await Promise.all(stuck)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]))
    nameServer.stop()
  })
})

describe('row 62: requests that cost nothing', () => {
  test('rejected without end: rows bounded, counts exact, also of a gateway that stops', async () => {
    const gateway = await bench.startGateway(limits({ rejectionLogs: 5 }))
    const account = await bench.createTestAccount({ config: { rateLimitEnabled: true, maxRequestsPerMinute: 1 } })
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(account, gateway)))
    const rejected = answers.filter(({ status }) => status === 429)
    expect(rejected).toHaveLength(199)
    await gateway.stop()
    const events = await bench.events.ofAccount(account.accountId, 7)
    expect(events.reduce((sum, { requestCount }) => sum + requestCount, 0)).toBe(200)
    // One that was forwarded, five of their own, and one row a minute; the minute may have turned meanwhile.
    expect(events.length).toBeLessThanOrEqual(1 + 2 * 6)
    const folded = events.filter(({ requestCount }) => requestCount > 1)
    expect(
      folded.every(({ status, apiKeyId, endpoint }) => status === 429 && !apiKeyId && endpoint === '/v1/models'),
    ).toBe(true)
  })

  test('served by the cache without end: they count for the minute and not for the quota, and rows are bounded', async () => {
    const gateway = await bench.startGateway(limits({ cacheHitLogs: 3 }))
    const account = await bench.createTestAccount({
      plan: 'free',
      config: { cacheSeconds: 60, rateLimitEnabled: true, maxRequestsPerMinute: 30 },
    })
    await expect.poll(async () => (await ask(account, gateway)).headers.get('x-sallyport-cache')).toBe('hit')
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(account, gateway)))
    const served = answers.filter(({ status }) => status === 200)
    expect(served.length).toBeGreaterThan(5)
    expect(served.length).toBeLessThanOrEqual(30)
    expect(answers.filter(({ status }) => status === 429).length).toBe(60 - served.length)
    await gateway.stop()
    const events = await bench.events.ofAccount(account.accountId, 5)
    const hits = events.filter(({ cacheStatus }) => cacheStatus === 'hit')
    expect(hits.length).toBeLessThanOrEqual(8)
    expect(hits.reduce((sum, { requestCount }) => sum + requestCount, 0)).toBeGreaterThanOrEqual(served.length)
  })
})

const post = (account: TestAccount, ...lines: string[]) =>
  head(
    'POST /api/proxy/v1/chat/completions HTTP/1.1',
    'Host: localhost',
    `Authorization: ${account.headers.authorization}`,
    'Content-Type: application/json',
    ...lines,
  )

describe('row 63: bodies', () => {
  test('of an account with nothing left are not read', async () => {
    const gateway = await bench.startGateway({ env: { PLAN_LIMITS: JSON.stringify({ free: { requestsPerDay: 1 } }) } })
    const account = await bench.createTestAccount({ plan: 'free' })
    expect((await account.chat(gateway)).status).toBe(200)
    const slow = Array.from({ length: 20 }, () =>
      new RawConnection(gateway.port).send(post(account, `Content-Length: ${10 * mib}`)).send('{"model":"'),
    )
    for (const connection of slow) {
      await connection.answers(1)
      expect(connection.statuses).toEqual([429])
      connection.close()
    }
    expect(await gateway.metric('sallyport_limit_used{resource="bodyBytes"}')).toBe(0)
  })

  test('an account has room for so many bytes of them, and it is there again when they are gone', async () => {
    const gateway = await bench.startGateway(limits({ bodyBytes: mib }))
    const [greedy, other] = [await bench.createTestAccount(), await bench.createTestAccount()]
    const half = Buffer.alloc(mib / 2 - 100, 'x')
    const slow = [0, 1].map(() =>
      new RawConnection(gateway.port).send(post(greedy, `Content-Length: ${5 * mib}`)).send(half),
    )
    await expect.poll(() => gateway.metric('sallyport_limit_used{resource="bodyBytes"}')).toBe(2 * half.length)
    const rejected = await greedy.chat(gateway, { padding: 'x'.repeat(1_000) })
    expect([rejected.status, await codeOf(rejected)]).toEqual([429, 'too_much_at_once'])
    expect(rejected.headers.get('retry-after')).toBe('1')
    expect((await other.chat(gateway, { padding: 'x'.repeat(1_000) })).status).toBe(200)
    for (const connection of slow) connection.close()
    await expect.poll(() => gateway.metric('sallyport_limit_used{resource="bodyBytes"}')).toBe(0)
    expect((await greedy.chat(gateway, { padding: 'x'.repeat(1_000) })).status).toBe(200)
  })
})

test('a provider that never answers fills the places of its account, and no others', async () => {
  const silent = await startSilentUpstream()
  const gateway = await bench.startGateway(limits({ requests: 10 }))
  const [greedy, other] = [
    await bench.createTestAccount({ plan: 'enterprise', config: { rateLimitEnabled: false, retryAttempts: 0 } }),
    await bench.createTestAccount({ plan: 'enterprise' }),
  ]
  await greedy.configure({ baseUrl: silent.origin })
  await greedy.addKey('sk-of-a-silent-provider', { isPrimary: true, origin: silent.origin })
  const leaving = new AbortController()
  const stuck = Array.from({ length: 10 }, () =>
    greedy.fetch(gateway, '/models', { signal: leaving.signal }).catch(() => undefined),
  )
  await expect.poll(() => gateway.metric('sallyport_proxy_in_flight')).toBe(10)
  const rejected = await Promise.all(Array.from({ length: 50 }, () => ask(greedy, gateway)))
  expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set([429]))
  expect(await codeOf(rejected[0]!)).toBe('too_much_at_once')
  expect((await ask(other, gateway)).status).toBe(200)
  leaving.abort()
  await Promise.all(stuck)
  await expect.poll(() => gateway.metric('sallyport_proxy_in_flight')).toBe(0)
  await gateway.stop()
  await silent.stop()
  const events = await bench.events.ofAccount(greedy.accountId, 11)
  const atLimit = events.filter(({ status }) => status === 429)
  expect(atLimit.length).toBeLessThanOrEqual(2)
  expect(atLimit.reduce((sum, { requestCount }) => sum + requestCount, 0)).toBe(50)
})

test('what never goes to the provider is not counted: neither for the minute nor for the quota', async () => {
  const gateway = await bench.startGateway({ env: { PLAN_LIMITS: JSON.stringify({ free: { requestsPerDay: 2 } }) } })
  const account = await bench.createTestAccount({
    plan: 'free',
    token: { models: ['gpt-4o'] },
    config: { rateLimitEnabled: true, maxRequestsPerMinute: 2 },
  })
  for (let time = 0; time < 5; time += 1) {
    expect((await account.chat(gateway, { model: 'another' })).status).toBe(403)
  }
  const statuses = []
  for (let time = 0; time < 3; time += 1) statuses.push((await account.chat(gateway, { model: 'gpt-4o' })).status)
  expect(statuses).toEqual([200, 200, 429])
})
