import { describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import type { RequestEvent } from '#schemas/request-event.ts'
import { startNameServer } from '#tools/stack/name-server.ts'
import { product } from '#schemas/product.ts'
import { atOnce, cacheStatusOf, errorOf, type Gateway, useTestBench } from './gateway.fixture.ts'
import { authorizedHead, RawConnection } from './raw-http.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

const bench = await useTestBench()

const send = (account: TestAccount, gateway: Gateway) => account.fetch(gateway, '/models')
const accountLimits = (limits: object) => ({ env: { ACCOUNT_LIMITS: JSON.stringify(limits) } })
const countOf = (events: RequestEvent[]) => events.reduce((sum, { requestCount }) => sum + requestCount, 0)
const bodyBytes = 'sallyport_limit_used{resource="bodyBytes"}'

describe('row 50: a base URL that leads to the gateway itself', () => {
  test('is detected after one hop, under any name and without retries', async () => {
    const gateway = await bench.startGateway()
    const account = await bench.createTestAccount({ config: { retryAttempts: 3 } })
    const { port } = gateway
    for (const address of [gateway.origin, `http://[::ffff:127.0.0.1]:${port}`, `http://localhost:${port}`]) {
      const { origin } = new URL(address)
      const rejected = await gateway.metric('sallyport_proxy_unauthenticated_total{code="loop_detected"}')
      await account.configure({ baseUrl: `${origin}${product.proxyPath}/v1` })
      await account.addKey(account.token.secret, { isPrimary: true, origin })
      expect(await errorOf(await send(account, gateway))).toEqual([508, 'loop_detected'])
      expect(await gateway.metric('sallyport_proxy_unauthenticated_total{code="loop_detected"}')).toBe(rejected + 1)
    }
  })

  test('is detected through another gateway of the installation', async () => {
    const [one, other] = [await bench.startGateway(), await bench.startGateway()]
    const [first, second] = [await bench.createTestAccount(), await bench.createTestAccount()]
    await first.configure({ baseUrl: other.baseURL, retryAttempts: 0 })
    await first.addKey(second.token.secret, { isPrimary: true, origin: other.origin })
    await second.configure({ baseUrl: one.baseURL, retryAttempts: 0 })
    await second.addKey(first.token.secret, { isPrimary: true, origin: one.origin })
    expect((await send(first, one)).status).toBe(508)
  })
})

test('row 52: a name whose DNS never responds affects its account only, and fails in time', async () => {
  const nameServer = await startNameServer({ 'black-hole.example.com': 'silent' })
  const gateway = await bench.startGateway({ env: { DNS_SERVERS: nameServer.address } })
  const greedy = await bench.createTestAccount({ config: { baseUrl: 'http://black-hole.example.com' } })
  const other = await bench.createTestAccount()
  // So that nothing but the name server can take seconds.
  await send(other, gateway)
  let failed = 0
  const stuck = atOnce(20, async () => {
    const { status } = await send(greedy, gateway)
    failed += 1
    return status
  })
  const responses = await atOnce(5, () => send(other, gateway))
  expect([responses.map(({ status }) => status), failed]).toEqual([Array(5).fill(200), 0])
  expect(new Set(await stuck)).toEqual(new Set([502]))
  nameServer.stop()
})

describe('row 62: requests that cost nothing', () => {
  test('rejected without end: rows bounded, counts exact, also of a gateway that stops', async () => {
    const gateway = await bench.startGateway(accountLimits({ rejectionLogs: 5 }))
    const account = await bench.createTestAccount({ config: { rateLimitEnabled: true, maxRequestsPerMinute: 1 } })
    const responses = await atOnce(200, () => send(account, gateway))
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(199)
    await gateway.stop()
    const events = await bench.events.ofAccount(account.accountId, 7)
    expect(countOf(events)).toBe(200)
    // One forwarded request, five single rows, and one folded row per minute; a new minute may have begun meanwhile.
    expect(events.length).toBeLessThanOrEqual(1 + 2 * 6)
    for (const folded of events.filter(({ requestCount }) => requestCount > 1)) {
      expect(folded).toMatchObject({ status: 429, apiKeyId: null, endpoint: '/v1/models' })
    }
  })

  test('served by the cache without end: they count for the minute but not for the quota, and rows are bounded', async () => {
    const gateway = await bench.startGateway(accountLimits({ cacheHitLogs: 3 }))
    const account = await bench.createTestAccount({
      plan: 'free',
      config: { cacheSeconds: 60, rateLimitEnabled: true, maxRequestsPerMinute: 30 },
    })
    const responses: Response[] = []
    // One after the other, because a request counts against the quota until it is known to be a hit.
    while (responses.length < 60) responses.push(await send(account, gateway))
    expect(responses.map(({ status }) => status)).toEqual([...Array(30).fill(200), ...Array(30).fill(429)])
    const served = responses.filter((response) => cacheStatusOf(response) === 'hit')
    expect(served.length).toBeGreaterThan(5)
    await gateway.stop()
    const events = await bench.events.ofAccount(account.accountId, 5)
    const hits = events.filter(({ cacheStatus }) => cacheStatus === 'hit')
    expect(hits.length).toBeLessThanOrEqual(8)
    expect(countOf(hits)).toBeGreaterThanOrEqual(served.length)
  })
})

/** Sends the beginning of a request. */
const sendStart = (gateway: Gateway, { token }: TestAccount, length: number, body: string | Buffer) => {
  const lines = ['Content-Type: application/json', `Content-Length: ${length}`]
  const start = authorizedHead('POST /api/proxy/v1/chat/completions', token.secret, ...lines)
  return new RawConnection(gateway.port).send(start).send(body)
}

describe('row 63: bodies', () => {
  test('of an account without quota are not read', async () => {
    const gateway = await bench.startGateway({ env: { PLAN_LIMITS: JSON.stringify({ free: { requestsPerDay: 1 } }) } })
    const account = await bench.createTestAccount({ plan: 'free' })
    expect((await account.chat(gateway)).status).toBe(200)
    const slow = Array.from({ length: 20 }, () => sendStart(gateway, account, 10 * mib, '{"model":"'))
    for (const connection of slow) {
      await connection.responses(1)
      expect(connection.statuses).toEqual([429])
      connection.close()
    }
    expect(await gateway.metric(bodyBytes)).toBe(0)
  })

  test('of an account share a limit of bytes, which are free again when the requests end', async () => {
    const gateway = await bench.startGateway(accountLimits({ bodyBytes: mib }))
    const [greedy, other] = [await bench.createTestAccount(), await bench.createTestAccount()]
    const half = Buffer.alloc(mib / 2 - 100, 'x')
    const slow = [0, 1].map(() => sendStart(gateway, greedy, 5 * mib, half))
    await expect.poll(() => gateway.metric(bodyBytes)).toBe(2 * half.length)
    const chat = (account: TestAccount) => account.chat(gateway, { padding: 'x'.repeat(1_000) })
    const rejected = await chat(greedy)
    expect(rejected.headers.get('retry-after')).toBe('1')
    expect(await errorOf(rejected)).toEqual([429, 'too_much_at_once'])
    expect((await chat(other)).status).toBe(200)
    for (const connection of slow) connection.close()
    await expect.poll(() => gateway.metric(bodyBytes)).toBe(0)
    expect((await chat(greedy)).status).toBe(200)
  })
})

test('a provider that never responds uses up the concurrent requests of its account only', async () => {
  const gateway = await bench.startGateway(accountLimits({ requests: 10 }))
  const { account: greedy } = await bench.createAccountWithUpstream(() => undefined)
  const other = await bench.createTestAccount()
  const leaving = new AbortController()
  const stuck = atOnce(10, () => greedy.fetch(gateway, '/models', { signal: leaving.signal }).catch(() => undefined))
  await expect.poll(() => gateway.metric('sallyport_proxy_in_flight')).toBe(10)
  await expect.poll(() => gateway.metric('sallyport_proxy_upstream_connections')).toBe(10)
  for (const rejected of await atOnce(50, () => send(greedy, gateway))) {
    expect(await errorOf(rejected)).toEqual([429, 'too_much_at_once'])
  }
  expect((await send(other, gateway)).status).toBe(200)
  leaving.abort()
  await stuck
  await expect.poll(() => gateway.metric('sallyport_proxy_in_flight')).toBe(0)
  await expect.poll(() => gateway.metric('sallyport_proxy_upstream_connections')).toBeLessThan(2)
  await gateway.stop()
  const events = await bench.events.ofAccount(greedy.accountId, 11)
  const atLimit = events.filter(({ status }) => status === 429)
  expect(atLimit.length).toBeLessThanOrEqual(2)
  expect(countOf(atLimit)).toBe(50)
})
