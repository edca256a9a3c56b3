import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTcpProxy, type TcpProxy } from '#tools/stack/tcp-proxy.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

let bench: TestBench
let wire: TcpProxy
let gateway: Gateway
beforeAll(async () => {
  bench = await openTestBench()
  const url = new URL(bench.urls.redisState)
  wire = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(wire.port)
  url.hostname = '127.0.0.1'
  gateway = await bench.startGateway({ env: { REDIS_STATE_URL: url.href } })
})
afterAll(async () => {
  await bench.stop()
  await wire.close()
})

/** Generous: a request that waited for Redis itself would take forever. */
const longestMs = 1_500

async function ask(account: TestAccount): Promise<Response> {
  const startedAt = performance.now()
  const answer = await account.chat(gateway)
  expect(performance.now() - startedAt).toBeLessThan(longestMs)
  return answer
}
const degraded = ({ headers }: Response) => headers.get('x-sallyport-degraded')

test('while Redis is frozen this gateway counts alone, says so, and nobody waits', async () => {
  const config = { rateLimitEnabled: true, maxRequestsPerMinute: 5 }
  const account = await bench.createTestAccount({ config })
  const cached = await bench.createTestAccount({ config: { ...config, cacheSeconds: 60 } })
  const unlimited = await bench.createTestAccount()
  // All are known here and connected: only Redis is to be away.
  for (const known of [account, cached, unlimited]) expect((await ask(known)).status).toBe(200)
  await Promise.all(Array.from({ length: 20 }, () => ask(unlimited)))
  expect((await ask(account)).headers.get('x-ratelimit-remaining')).toBe('3')

  wire.set('freeze')
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(account)))
  const passed = answers.filter(({ status }) => status === 200)
  expect(passed).toHaveLength(3)
  expect(new Set(passed.map(degraded))).toEqual(new Set(['limits']))
  const refused = answers.find(({ status }) => status === 429)!
  expect([degraded(refused), await refused.json()]).toMatchObject(['limits', { error: { code: 'rate_limited' } }])

  // A cache that does not answer is a cache without the answer; single requests, one after the other.
  for (let time = 0; time < 3; time += 1) {
    const answer = await ask(cached)
    expect([answer.status, answer.headers.get('x-sallyport-cache')]).toEqual([200, 'miss'])
  }
  expect(degraded(await ask(unlimited))).toBeNull()

  wire.set('pass')
  await expect.poll(async () => degraded(await ask(await bench.createTestAccount({ config })))).toBeNull()
})

test('while Redis is gone likewise, and again when it is back', async () => {
  const config = { rateLimitEnabled: true, maxRequestsPerMinute: 100 }
  const account = await bench.createTestAccount({ config })
  await expect.poll(async () => degraded(await ask(account))).toBeNull()
  await wire.close()
  await expect.poll(async () => degraded(await ask(account))).toBe('limits')
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(account)))
  for (const answer of answers) expect([answer.status, degraded(answer)]).toEqual([200, 'limits'])
})
