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

const november = Date.UTC(2026, 10, 20)
const december = Date.UTC(2026, 11, 1)

let folder: string
let server: RedisProcess
let redis: Redis
let now = november
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-spending-'))
  server = await createRedisProcess(findCommand(['redis-server', 'valkey-server'])!, folder)
  await server.start()
  redis = openStateRedis({ redisStateUrl: server.url }, statePatienceMs.user)
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
const account = { accountId: 'a', tokenId: 't', monthlyBudgetNanoUsd: 100 } as Account
const spent = (spending: TokenSpending) => redis.get(spending.keyOf(account)).then(Number, () => undefined)

test('two proxies add to one total, and each learns it from Redis', async () => {
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

test('a new month starts at zero, and the total of the last month expires', async () => {
  const spending = openSpending()
  spending.add(account, 100)
  await expect.poll(() => spent(spending)).toBe(100)
  expect(await redis.pexpiretime(spending.keyOf(account))).toBe(december)
  expect(await redis.pexpiretime(`${spending.keyOf(account)}:parts`)).toBe(december)
  now = december
  expect(spending.isUsedUp(account)).toBe(false)
  expect(await spent(spending)).toBe(0)
})

test('writes that a frozen Redis executes late, and that are reported again, count once', async () => {
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

test('costs during an outage of Redis are added once it is back, without another request', async () => {
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

test('close reports what is left; an entry that starts anew adds to the total', async () => {
  const before = openSpending()
  await server.kill()
  before.add(account, 70)
  await server.start()
  await expect.poll(() => redis.ping().catch(() => undefined)).toBe('PONG')
  await before.close()
  expect(await spent(before)).toBe(70)
  const after = openSpending()
  after.add(account, 5)
  await after.close()
  expect(await spent(after)).toBe(75)
})
