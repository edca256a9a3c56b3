import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { clusterSlot } from '#core/redis/cluster-slot.ts'
import { openStateRedis } from '#core/redis/connections.ts'
import { createInvalidation } from '#shared/invalidation.ts'
import { createAccountStateStore } from '#store/redis/account-state.ts'
import { createKeyStateStore } from '#store/redis/key-states.ts'
import { createObjectKeyStore, objectKeysKey } from '#store/redis/object-keys.ts'
import { createQuotaUsageStore } from '#store/redis/quota-usage.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { startRedisCluster } from '#tools/stack/redis-cluster.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { temporaryFolder } from '#tools/test/temporary-folder.ts'
import { atOnce, cacheStatusOf, type Gateway, useTestBench } from './gateway.fixture.ts'

const cluster = await startRedisCluster(findCommand(['redis-server', 'valkey-server'])!, temporaryFolder(afterAll))
const bench = await useTestBench()
const env = { REDIS_STATE_URL: cluster.url, PLAN_LIMITS: '{"basic":{"requestsPerMonth":25}}' }
const [one, two] = [await bench.startGateway({ env }), await bench.startGateway({ env })]
const state = openStateRedis({ redisStateUrl: cluster.url }, 5_000)
await whenReady(state)
afterAll(async () => {
  state.disconnect()
  await cluster.stop()
})

const invalidate = createInvalidation(state, pino({ level: 'silent' }))
const patience = { timeout: 15_000 }
const gatewayOf = (index: number) => (index % 2 === 0 ? one : two)
const byStatus = (responses: Response[]) =>
  responses.map(({ status }) => status).filter((status) => status === 200).length

/** Accounts spread over all nodes. */
const accounts = await Promise.all(
  Array.from({ length: 12 }, () =>
    bench.createTestAccount({ config: { rateLimitEnabled: true, maxRequestsPerMinute: 1_000 } }),
  ),
)
const isDegraded = async (gateway: Gateway) =>
  (await Promise.all(accounts.map((each) => each.fetch(gateway, '/models')))).some(({ headers }) =>
    headers.has('x-sallyport-degraded'),
  )

/** A proxy connects to a node on first use, and waits only 50 ms for it. */
beforeAll(async () => {
  for (const gateway of [one, two]) await vi.waitUntil(async () => !(await isDegraded(gateway)), patience)
})

/** Sends concurrent requests of a new account. If a busy machine delays Redis, each proxy counts alone. */
async function passedOf(options: Parameters<typeof bench.createTestAccount>[0], count: number) {
  for (;;) {
    const account = await bench.createTestAccount(options)
    const responses = await atOnce(count, (index) => account.chat(gatewayOf(index)))
    const isExact = responses.every(({ headers }) => !headers.has('x-sallyport-degraded'))
    if (isExact) return { account, passed: byStatus(responses) }
  }
}

test('limits of a minute, a month and a token are exact over two proxies', async () => {
  const ofMinute = await passedOf({ config: { rateLimitEnabled: true, maxRequestsPerMinute: 20 } }, 40)
  expect(ofMinute.passed).toBe(20)
  const ofMonth = await passedOf({ plan: 'basic' }, 40)
  expect(ofMonth.passed).toBe(25)
  expect(await createQuotaUsageStore(state).read(ofMonth.account.accountId)).toMatchObject({ month: 25 })
  const ofToken = await passedOf({ token: { requestsPerMinute: 7, monthlyBudgetNanoUsd: 10_000_000_000 } }, 20)
  expect(ofToken.passed).toBe(7)
})

test('a response is cached for both proxies, until the account is deleted', async () => {
  const account = await bench.createTestAccount({ config: { cacheSeconds: 60 } })
  expect(cacheStatusOf(await account.chat(one))).toBe('miss')
  await expect.poll(async () => cacheStatusOf(await account.chat(two)), patience).toBe('hit')
  const { accountId } = account
  await createObjectKeyStore(state).remember(accountId, [{ objectId: 'file-1', makerId: 'key' }])
  const responses = [1, 2, 3].map((at) => `sallyport:idempotency:${accountId}:${at}`)
  for (const key of responses) await state.set(key, 'x')
  await createAccountStateStore(state).removeAll(accountId)
  const keys = [objectKeysKey(accountId), `object-key-counts:{${accountId}}`, ...responses]
  expect(await Promise.all(keys.map((key) => state.exists(key)))).toEqual(keys.map(() => 0))
  expect(cacheStatusOf(await account.chat(two))).toBe('miss')
})

test('the states of keys and the makers of objects are kept, by account', async () => {
  const [a, b] = [await bench.createTestAccount(), await bench.createTestAccount()]
  const keys = createKeyStateStore(state)
  const failure = { status: 401, message: null, endpoint: null, atMs: 1, cooldownUntilMs: 2 }
  await keys.save([a, b].map(({ accountId, keyIds }) => ({ accountId, keyId: keyIds[0]!, failure })))
  expect((await keys.list(b.accountId, b.keyIds)).get(b.keyIds[0]!)).toEqual({ failure })
  const objects = createObjectKeyStore(state, { account: 2, total: 3 })
  for (const { accountId } of [a, b])
    await objects.remember(
      accountId,
      ['f1', 'f2', 'f3'].map((objectId) => ({ objectId, makerId: 'key' })),
    )
  expect(await objects.find(a.accountId, ['key'], ['f3'])).toBe('key')
  expect(await objects.find(a.accountId, ['key'], ['f1'])).toBeUndefined()
  expect(await objects.find(b.accountId, ['key'], ['f2'])).toBe('key')
})

test('a change reaches the proxies at once; requests are served while a node is down, and limits are exact once it is back', async () => {
  const account = await bench.createTestAccount()
  expect((await account.fetch(two, '/models')).status).toBe(200)
  // What is cached becomes stale by this clock.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  await account.disable()
  await invalidate(account.accountId)
  await expect.poll(async () => (await account.fetch(two, '/models')).status).toBe(401)
  clock.mockRestore()

  await cluster.nodes[2]!.kill()
  const responses = await Promise.all(accounts.map((each) => each.fetch(one, '/models')))
  expect(responses.map(({ status }) => status)).toEqual(accounts.map(() => 200))
  await cluster.nodes[2]!.start()
  await expect.poll(() => isDegraded(one), patience).toBe(false)
}, 60_000)

test('while a node is down, only its own accounts are counted by each proxy alone', async () => {
  // Every request asks Redis for its quota.
  const ofAllNodes = await Promise.all(Array.from({ length: 12 }, () => bench.createTestAccount({ plan: 'basic' })))
  const degraded = async () => {
    const responses = await Promise.all(ofAllNodes.map((each) => each.fetch(one, '/models')))
    return responses.flatMap(({ headers }, at) => (headers.has('x-sallyport-degraded') ? [at] : []))
  }
  await expect.poll(degraded, patience).toEqual([])
  const nodes = ofAllNodes.map(({ accountId }) => cluster.nodeOf(clusterSlot(accountId)))
  const killed = nodes[0]!
  await killed.kill()
  const ofKilled = nodes.flatMap((node, at) => (node === killed ? [at] : []))
  // On a busy machine, another node may briefly be slower than a proxy waits.
  await expect.poll(degraded, patience).toEqual(ofKilled)
  await killed.start()
  await expect.poll(degraded, patience).toEqual([])
}, 60_000)
