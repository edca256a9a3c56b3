import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openStateRedis, statePatienceMs } from '#core/redis/connections.ts'
import { day, minute } from '#core/units.ts'
import { createPlanLimits } from '#shared/plan-limits.ts'
import { whenReady } from '#tools/stack/when-ready.ts'
import { createTestRedis } from '#tools/test/stores.ts'
import { requestEvent } from '#store/clickhouse/logs/request-event.fixture.ts'
import { quotaKey } from '#store/redis/quota-usage.ts'
import { spendingKeys } from '#store/redis/token-spending.ts'
import type { Account } from '../auth/account.ts'
import type { LimitDecision } from './decision.ts'
import type { Estimate } from './estimate.ts'
import { Limiter } from './limiter.ts'
import { needsReservation } from './token-state.ts'
import { dayEndsAtMs, dayOf, monthEndsAtMs } from '#core/period.ts'

const redis = openStateRedis(await createTestRedis(), statePatienceMs.user)
await whenReady(redis)
const observe = vi.fn()
const open = () => new Limiter(redis, createPlanLimits({}), { limited: observe } as never, statePatienceMs.user)
const [one, other] = [open(), open()]

/** Without the reports of every other second. */
function openSilent(): Limiter {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const limiter = open()
  vi.useRealTimers()
  return limiter
}

afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  redis.disconnect()
})

afterEach(() => void vi.useRealTimers())

/** With a clock that stands still: leases would end while a busy machine makes the requests of a test. */
function openStopped(): Limiter {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const limiter = open()
  onTestFinished(() => limiter.close())
  return limiter
}

let account: Account
let keys: { reservations: string; open: string; day: string; month: string }
let count = 0
beforeEach(() => {
  const [accountId, tokenId] = [`a${(count += 1)}`, `t${count}`]
  const rates = { plan: 'enterprise', rateLimitEnabled: false, requestsPerMinute: null, tokensPerMinute: null }
  const limits = { maxConcurrentRequests: 2, dailyBudgetNanoUsd: 1_000, monthlyBudgetNanoUsd: 5_000 }
  account = { accountId, tokenId, ...rates, ...limits } as Account
  const { neighbours: _, ...spending } = spendingKeys(accountId, tokenId, Date.now())
  keys = { ...spending, open: `open:{${accountId}}:${tokenId}` }
})

const estimate = (costNanoUsd: number): Estimate => ({
  isPriced: true,
  tokens: 10,
  costNanoUsd,
  initialNanoUsd: 0,
  tokenNanoUsd: 1,
  isStream: false,
})
/** What each reporter has reserved, used and spent. */
const states = async () =>
  (await redis.hvals(keys.reservations)).map((state) => state.split(' ').slice(0, 3).join(' ')).toSorted()

const sent = { mayHaveCost: true, estimatedTokens: 0, hasTextElsewhere: false }
const none = { dailyBudgetNanoUsd: null, monthlyBudgetNanoUsd: null, maxConcurrentRequests: null }
test.each([
  ['a budget', { dailyBudgetNanoUsd: 1e12, monthlyBudgetNanoUsd: 1e12 }],
  ['tokens a minute', { tokensPerMinute: 1e6 }],
  ['requests at once', { maxConcurrentRequests: 10_000 }],
  ['requests a minute', { requestsPerMinute: 1e5 }],
])('a lease of %s is renewed before it is used up, so that requests do not wait for Redis', async (_limit, limits) => {
  const limiter = openStopped()
  const rich = { ...account, ...none, ...limits }
  observe.mockClear()
  for (let request = 0; request < 60; request += 1) {
    const decision = needsReservation(rich) ? limiter.reserve(rich, estimate(300)) : limiter.count(rich)
    ;(await decision).reservation?.complete(300)
    // Replies arrive in order, so the next lease is here.
    await redis.ping()
  }
  const decidedBy = observe.mock.calls.map(([by]) => by)
  expect(decidedBy.slice(3)).toEqual(Array(57).fill('local'))
})

test('the unused part of a lease is left, as the headers say', async () => {
  const rich = { ...account, ...none, requestsPerMinute: 1e5, maxConcurrentRequests: 1e4 }
  let decision: LimitDecision
  let requests = 0
  do {
    decision = await one.reserve(rich, estimate(300))
    requests += 1
    await redis.ping()
  } while (requests < 20 || decision.counted?.by !== 'lease')
  expect(decision.headers.join(' ')).toContain(`x-ratelimit-remaining ${1e5 - requests} `)
})

test('a request that is cancelled after its minute takes nothing off the next one', async () => {
  const rich = { ...account, ...none, requestsPerMinute: 1e5 }
  const third = open()
  const countUntilLeased = async () => {
    for (let requests = 1; ; requests += 1) {
      const decision = await third.count(rich)
      if (decision.counted?.by === 'lease') return { decision, requests }
    }
  }
  const { decision } = await countUntilLeased()
  const key = `limit:{${account.accountId}}:${account.tokenId}:minute`
  await redis.del(key)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minute })
  const { requests } = await countUntilLeased()
  third.refund(rich, decision, 'all')
  await third.close()
  await expect.poll(() => redis.get(key)).toBe(String(requests))
})

test('a window that begins with the renewal of a lease ends, too', async () => {
  const limiter = openStopped()
  const rich = { ...account, ...none, requestsPerMinute: 1e5 }
  const key = `limit:{${account.accountId}}:${account.tokenId}:minute`
  while ((await limiter.count(rich)).counted?.by !== 'lease');
  await redis.del(key)
  while ((await redis.exists(key)) === 0) expect((await limiter.count(rich)).counted?.by).toBe('lease')
  expect(await redis.pttl(key)).toBeGreaterThan(0)
})

test('what a busy token spends far from its limits is reported a few times a second', async () => {
  const limiter = openStopped()
  const rich = { ...account, ...none, dailyBudgetNanoUsd: 1e12 }
  const calls = vi.spyOn(redis, 'sallyportReserve')
  for (let ms = 0; ms < 900; ms += 10) {
    ;(await limiter.reserve(rich, estimate(300))).reservation?.complete(300)
    await vi.advanceTimersByTimeAsync(10)
    await redis.ping()
  }
  const reports = calls.mock.calls.filter((terms) => terms.at(-1) === 0)
  calls.mockRestore()
  // Until the first lease has come, and near a limit, it is every 20 ms, which would be 45.
  expect(reports.length).toBeGreaterThan(0)
  expect(reports.length).toBeLessThan(9)
})

test('tokens that requests did not use are leased once', async () => {
  account = { ...account, ...none, tokensPerMinute: 1e6 }
  for (let request = 0; request < 400; request += 1) {
    const decision = await one.reserve(account, estimate(300))
    one.complete(account, decision, requestEvent({ promptTokens: 1, completionTokens: 0 }), sent)
    await redis.ping()
  }
  const counted = Number(await redis.get(`limit:{${account.accountId}}:${account.tokenId}:tokens`))
  expect(counted).toBeGreaterThanOrEqual(400)
  expect(counted).toBeLessThanOrEqual(400 + 256 * estimate(300).tokens)
})

test('what ended requests cost is added once, in the day and the month', async () => {
  const reserved = await Promise.all([one.reserve(account, estimate(300)), other.reserve(account, estimate(500))])
  expect(reserved.map(({ rejection }) => rejection)).toEqual([undefined, undefined])
  expect(await states()).toEqual(['300 0 0', '500 0 0'])
  reserved[0]!.reservation!.complete(200)
  reserved[1]!.reservation!.complete(null)
  await expect.poll(() => redis.mget(keys.day, keys.month)).toEqual(['700', '700'])
  reserved[0]!.reservation!.complete(200)
  await expect.poll(states).toEqual(['0 0 200', '0 0 500'])
  ;(await other.reserve(account, estimate(1_000))).reservation!.complete(300)
  expect(await one.reserve(account, estimate(1))).toMatchObject({ rejection: 'budget_exceeded' })
  expect(await redis.mget(keys.day, keys.month)).toEqual(['1000', '1000'])
  for (const key of Object.values(keys)) expect(await redis.pttl(key)).toBeGreaterThan(0)
})

test('what a dead proxy had reserved is free, and what its requests had used is spent, once', async () => {
  await redis.hset(keys.reservations, 'dead', `900 400 50 ${Date.now() - 1}`)
  await redis.hset(keys.open, 'dead', `2 ${Date.now() - 1}`)
  const { rejection, reservation } = await one.reserve(account, estimate(600))
  expect(rejection).toBeUndefined()
  expect(await redis.get(keys.day)).toBe('400')
  reservation!.complete(100)
  await expect.poll(() => redis.get(keys.day)).toBe('500')
  expect(await redis.hgetall(keys.open)).not.toHaveProperty('dead')
})

test('a proxy that was taken for dead adds only what its requests cost beyond that', async () => {
  const third = openSilent()
  const limited = { ...account, ...none, dailyBudgetNanoUsd: 1_000 }
  const { reservation } = await third.reserve(limited, { ...estimate(600), initialNanoUsd: 600, isStream: true })
  reservation!.recordCost(400)
  await expect.poll(states).toEqual(['600 400 0'])
  const [reporter = ''] = await redis.hkeys(keys.reservations)
  await redis.hset(keys.reservations, reporter, `600 400 0 ${Date.now() - 1}`)
  await one.reserve(limited, estimate(100))
  expect(await redis.get(keys.day)).toBe('400')
  reservation!.recordCost(450)
  await expect.poll(states).toContain('600 450 400')
  reservation!.complete(500)
  await third.close()
  expect(await redis.get(keys.day)).toBe('500')
})

test('what requests had used of a month when their proxy died at midnight is spent, once', async () => {
  const limited = { ...account, dailyBudgetNanoUsd: null, monthlyBudgetNanoUsd: 1_000 }
  const keysOn = (date: string) => spendingKeys(account.accountId, String(account.tokenId), Date.parse(date))
  await redis.hset(keysOn('2035-01-10').reservations, 'dead', `900 400 50 ${Date.now() - 1}`)
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2035-01-11T00:01Z') })
  for (let nth = 0; nth < 2; nth += 1) {
    const { reservation } = await one.reserve(limited, estimate(600))
    reservation!.complete(0)
    expect(await redis.get(keysOn('2035-01-11').month)).toBe('400')
  }
})

test('requests of a living proxy count', async () => {
  await redis.hset(keys.open, 'alive', `2 ${Date.now() + minute}`)
  const rejected = await one.reserve(account, estimate(1))
  expect(rejected).toMatchObject({ rejection: 'token_concurrency_limited', headers: ['retry-after', '1'] })
  expect(rejected.detail).toContain('0 of 2 requests at once are left')
})

test('requests that were rejected at once take no places from other proxies', async () => {
  const third = openSilent()
  const limited = { ...account, ...none, maxConcurrentRequests: 2 }
  const held = await Promise.all([one.reserve(limited, estimate(0)), one.reserve(limited, estimate(0))])
  const rejected = await Promise.all([1, 2, 3].map(() => third.reserve(limited, estimate(0))))
  expect(rejected.map(({ rejection }) => rejection)).toEqual(rejected.map(() => 'token_concurrency_limited'))
  for (const { reservation } of held) reservation!.complete(0)
  await expect.poll(async () => (await redis.hvals(keys.open)).map((state) => state.split(' ')[0])).toEqual(['0', '0'])
  await third.close()
})

test('tokens that a request did not take are there for the next one of its proxy, and soon for all', async () => {
  account = { ...account, tokensPerMinute: 100, dailyBudgetNanoUsd: null, monthlyBudgetNanoUsd: null }
  const used = () => redis.get(`limit:{${account.accountId}}:${account.tokenId}:tokens`)
  const first = await one.reserve(account, { ...estimate(1), tokens: 80 })
  one.complete(account, first, requestEvent({ promptTokens: 1, completionTokens: 2 }), sent)
  const second = await one.reserve(account, { ...estimate(1), tokens: 90 })
  expect(second.rejection).toBeUndefined()
  expect(await used()).toBe('93')
  one.complete(account, second, requestEvent({ promptTokens: 1, completionTokens: 94 }), sent)
  await expect.poll(used).toBe('98')
  const third = await other.reserve(account, { ...estimate(1), tokens: 3 })
  expect(third.rejection).toBe('token_tokens_limited')
})

test.each([
  ['a day', '2035-01-10T23:59Z', '2035-01-11T00:01Z', 400],
  ['a month', '2035-01-31T23:59Z', '2035-02-01T00:01Z', 600],
])(
  'what requests have reserved at the end of %s is left out of the month until they end',
  async (_of, before, after, left) => {
    const limited = { ...account, dailyBudgetNanoUsd: null, monthlyBudgetNanoUsd: 1_000 }
    const stream = { ...estimate(600), initialNanoUsd: 600, isStream: true }
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(before) })
    await one.reserve(limited, stream)
    vi.setSystemTime(new Date(after))
    const { reservation } = await other.reserve(limited, stream)
    expect([reservation?.recordCost(left), reservation?.recordCost(left + 1)]).toEqual([false, true])
  },
)

test('a stream that outlasts its day or month gets no more of their budgets than was left of them', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: dayEndsAtMs(Date.now()) - day - minute })
  const yesterday = spendingKeys(account.accountId, String(account.tokenId), Date.now())
  const spent = await one.reserve(account, estimate(700))
  spent.reservation!.complete(700)
  await expect.poll(() => redis.hvals(yesterday.reservations)).toEqual([expect.stringMatching(/^0 0 700 /)])
  const { reservation } = await other.reserve(account, { ...estimate(5_000), isStream: true })
  reservation!.recordCost(301)
  expect(await reservation!.extend()).toBe(false)
  expect(await redis.pttl(yesterday.month)).toBeGreaterThan(monthEndsAtMs(Date.now()) - Date.now())
})

test('what a stream gets after its client has left is free again', async () => {
  const { reservation } = await one.reserve(account, { ...estimate(900), isStream: true })
  reservation!.recordCost(400)
  const extending = reservation!.extend()
  reservation!.complete(400)
  expect(await extending).toBe(false)
  await expect.poll(states).toEqual(['0 0 400'])
})

test('the count of a day lasts until it is over for proxies whose clocks are minutes behind, too', async () => {
  const free = { ...account, ...none, plan: 'free' } as Account
  const endsAtMs = dayEndsAtMs(Date.now())
  vi.useFakeTimers({ toFake: ['Date'], now: endsAtMs - minute })
  const { headers } = await one.count(free)
  expect(headers[headers.indexOf('x-ratelimit-reset') + 1]).toBe('60')
  expect(await redis.pttl(quotaKey(free.accountId, dayOf(endsAtMs - 1)))).toBeGreaterThan(6 * minute)
})

test('a rejection does not say that money is left which open requests have reserved', async () => {
  const limited = { ...account, dailyBudgetNanoUsd: 1e9, monthlyBudgetNanoUsd: null }
  const { reservation } = await one.reserve(limited, estimate(0.98e9))
  reservation?.recordCost(0.96e9)
  const { rejection, detail } = await other.reserve(limited, estimate(0.5e9))
  expect([rejection, detail]).toEqual(['budget_exceeded', expect.stringContaining(': $0.02 of $1 are left')])
  reservation?.complete(0.96e9)
})
