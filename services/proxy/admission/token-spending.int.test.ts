import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { whenReady } from '#tools/stack/when-ready.ts'
import { openStateRedis, statePatienceMs, type Redis } from '#core/resources.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { createRedisProcess, type RedisProcess } from '#tools/stack/redis-process.ts'
import type { Account } from '../auth/account.ts'
import { TokenSpending } from './token-spending.ts'

const program = findCommand(['redis-server', 'valkey-server'])!
const november = Date.UTC(2026, 10, 20)

let folder: string
let server: RedisProcess
let redis: Redis
let now = november
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-spending-'))
  server = await createRedisProcess(program, folder)
  await server.start()
  redis = openStateRedis({ redisStateUrl: server.url }, statePatienceMs.person)
  redis.on('error', () => undefined)
  await whenReady(redis)
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  now = november
  await redis.flushdb()
})

const openSpending = () => new TokenSpending(redis, () => now)
const account: Account = {
  accountId: 'a',
  plan: 'enterprise',
  tokenId: 't',
  isActive: true,
  expiresAt: null,
  models: null,
  monthlyBudgetNanoUsd: 100,
  addresses: null,
  rateLimitEnabled: false,
  maxRequestsPerMinute: 1,
  timeout: 1_000,
  retryAttempts: 0,
  streamUsage: true,
  cacheSeconds: 0,
  logBodies: false,
  logClientAddress: false,
  keys: [],
  origin: 'http://127.0.0.1',
  basePath: '',
}
/** What Redis has. One that can not be reached has nothing. */
const spent = (spending: TokenSpending) => redis.get(spending.keyOf(account)).then(Number, () => undefined)

test('two proxies add to one sum, and each knows of the other what Redis says', async () => {
  const [one, other] = [openSpending(), openSpending()]
  one.add(account, 30)
  one.add(account, 20)
  other.add(account, 50)
  await expect.poll(() => spent(one)).toBe(100)
  expect(one.isUsedUp(account)).toBe(false)
  one.learn(account, 100)
  expect(one.isUsedUp(account)).toBe(true)
  expect(one.isUsedUp({ ...account, monthlyBudgetNanoUsd: 101 })).toBe(false)
  expect(one.isUsedUp({ ...account, monthlyBudgetNanoUsd: null })).toBe(false)
})

test('a new month starts at nothing, and the last one goes by itself', async () => {
  const spending = openSpending()
  spending.add(account, 100)
  await expect.poll(() => spent(spending)).toBe(100)
  expect(await redis.pexpiretime(spending.keyOf(account))).toBe(Date.UTC(2026, 11, 1))
  expect(await redis.pexpiretime(`${spending.keyOf(account)}:parts`)).toBe(Date.UTC(2026, 11, 1))
  now = Date.UTC(2026, 11, 1)
  expect(spending.isUsedUp(account)).toBe(false)
  expect(await spent(spending)).toBe(0)
})

test('writes that a frozen Redis does later, and that are told again, count once', async () => {
  const spending = openSpending()
  spending.add(account, 40)
  await expect.poll(() => spent(spending)).toBe(40)
  server.freeze()
  spending.add(account, 1)
  spending.add(account, 20)
  await expect.poll(() => spent(spending)).toBeUndefined()
  spending.add(account, 39)
  expect(spending.isUsedUp(account)).toBe(true)
  server.thaw()
  await expect.poll(() => spent(spending)).toBe(100)
  await spending.close()
  expect(await spent(spending)).toBe(100)
})

test('what was spent while Redis was gone is added once it is back, without another request', async () => {
  const [one, other] = [openSpending(), openSpending()]
  one.add(account, 10)
  other.add(account, 20)
  await expect.poll(() => spent(one)).toBe(30)
  await server.kill()
  one.add(account, 30)
  one.add(account, 60)
  other.add(account, 5)
  expect([one.isUsedUp(account), other.isUsedUp(account)]).toEqual([true, false])
  await server.start()
  await expect.poll(() => spent(one)).toBe(125)
})

test('what is not told yet is told at the end', async () => {
  const spending = openSpending()
  await server.kill()
  spending.add(account, 7)
  await server.start()
  await expect.poll(() => redis.ping().catch(() => undefined)).toBe('PONG')
  await spending.close()
  expect(await spent(spending)).toBe(7)
})

test('a proxy that has forgotten a token begins anew and takes nothing back', async () => {
  const before = openSpending()
  before.add(account, 70)
  await before.close()
  const after = openSpending()
  after.add(account, 5)
  await after.close()
  expect(await spent(after)).toBe(75)
})
