import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { atOnce, errorOf, useTestBench } from './gateway.fixture.ts'
import { jsonResponse } from './raw-upstream.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

// A budget or quota begins anew at midnight.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const bench = await useTestBench()
const { spendingOf } = bench
const env = { PLAN_LIMITS: JSON.stringify({ basic: { requestsPerDay: 3, requestsPerMonth: 5 } }) }
const [one, other] = [await bench.startGateway({ env }), await bench.startGateway({ env })]
const gatewayOf = (index: number) => (index % 2 === 0 ? one : other)
const nanoUsd = 1e9

const createAccount = (token: object, keys = ['sk-primary']) => bench.createTestAccount({ token, keys })
const decisionsOfRedis = () => one.metric('sallyport_proxy_limit_decisions_total{by="redis",rejection="none"}')
async function expectNothingSpent(account: TestAccount) {
  expect(await bench.events.ofAccount(account.accountId, 1)).toMatchObject([{ costNanoUsd: 0, costSource: 'exact' }])
  await expect.poll(() => spendingOf(account)).toEqual({ spentNanoUsd: 0, reservedNanoUsd: 0 })
}
/** Neither has spent anything. */
const [budgeted, free] = [await createAccount({ monthlyBudgetNanoUsd: nanoUsd }), await createAccount({})]
const respond = (socket: Socket) => void socket.write(jsonResponse())

describe('requests of a token', () => {
  test('a minute: exactly as many pass over two gateways, and the fields say so', async () => {
    const account = await createAccount({ requestsPerMinute: 5 })
    const responses = await atOnce(20, (index) => account.fetch(gatewayOf(index), '/models'))
    const passed = responses.filter(({ ok }) => ok)
    expect(passed).toHaveLength(5)
    const left = passed.map(({ headers }) => headers.get('ratelimit')?.replace(/t=\d+/, 't='))
    expect(left.toSorted()).toEqual([0, 1, 2, 3, 4].map((count) => `"token-minute";r=${count};t=`))
    const rejected = responses.find(({ ok }) => !ok)!
    expect(rejected.headers.get('ratelimit-policy')).toBe('"token-minute";q=5;w=60')
    expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    const { error } = (await rejected.json()) as { error: { code: string; message: string } }
    expect(error.code).toBe('token_rate_limited')
    expect(error.message).toMatch(/0 of 5 requests are left, and it renews in \d+ s/)
  })

  test('at once: of 100 over two gateways exactly ten are at the provider, until one of them ends', async () => {
    const waiting: Socket[] = []
    let isOpen = false
    const { account } = await bench.createAccountWithUpstream(
      (socket) => void (isOpen ? respond(socket) : waiting.push(socket)),
      { token: { maxConcurrentRequests: 10 } },
    )
    const rejected: Promise<string>[] = []
    const others = Promise.withResolvers<void>()
    const all = atOnce(100, async (index) => {
      const response = await account.chat(gatewayOf(index))
      if (!response.ok && rejected.push(errorOf(response).then(([, code]) => code)) === 90) others.resolve()
    })
    // Without a limit of its own: a busy machine may take long.
    await others.promise
    expect(waiting).toHaveLength(10)
    expect(new Set(await Promise.all(rejected))).toEqual(new Set(['token_concurrency_limited']))
    isOpen = true
    waiting.forEach(respond)
    await all
    for (const gateway of [one, other]) await expect.poll(async () => (await account.chat(gateway)).status).toBe(200)
  })

  test('tokens a minute: an estimate counts until the usage is known', async () => {
    const account = await createAccount({ tokensPerMinute: 1_000 })
    const large = await account.chat(one, { max_tokens: 2_000 })
    expect(large.status).toBe(200)
    await expect.poll(async () => (await account.chat(other, { max_tokens: 100 })).status).toBe(200)
    const rejected = await account.chat(one, { max_tokens: 990 })
    expect(await errorOf(rejected)).toEqual([429, 'token_tokens_limited'])
    expect(rejected.headers.get('ratelimit-policy')).toBe('"token-tokens";q=1000;qu="tokens";w=60')
  })
})

test('far from its limits a token rarely asks Redis; a second later all counts are exact', async () => {
  const limits = { requestsPerMinute: 100_000, tokensPerMinute: 900_000_000, maxConcurrentRequests: 1_000 }
  const account = await createAccount({ ...limits, dailyBudgetNanoUsd: 1_000 * nanoUsd })
  const askedBefore = await decisionsOfRedis()
  let costNanoUsd = 0
  let tokens = 0
  for (let time = 0; time < 100; time += 1) {
    const response = await account.chat(one)
    const { usage } = (await response.json()) as { usage: { total_tokens: number } }
    tokens += usage.total_tokens
    costNanoUsd += Math.round(Number(response.headers.get('x-sallyport-cost-usd')) * nanoUsd)
  }
  expect((await decisionsOfRedis()) - askedBefore).toBeLessThan(30)
  const spent = { spentNanoUsd: costNanoUsd, reservedNanoUsd: 0 }
  await expect.poll(() => spendingOf(account)).toEqual(spent)
  const key = `limit:{${account.accountId}}:${account.token.id}`
  const counts = async () => (await bench.state.mget(`${key}:minute`, `${key}:tokens`)).map(Number)
  await expect.poll(counts).toEqual([100, tokens])
})

test('a plan may have a quota of a day and of a month', async () => {
  const account = await bench.createTestAccount({ plan: 'basic' })
  const month = `limit:{${account.accountId}}:${new Date().toISOString().slice(0, 7)}`
  await bench.state.set(month, 3)
  const outcomes = await atOnce(4, (index) => account.fetch(gatewayOf(index), '/models'))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2)
  const rejected = outcomes.find(({ ok }) => !ok)!
  expect(rejected.headers.get('ratelimit')).toMatch(/^"plan-month";r=0;t=\d+$/)
  expect(rejected.headers.get('ratelimit-policy')).toBe('"plan-day";q=3;w=86400, "plan-month";q=5')
})

describe('a request on which the provider did not work takes nothing out of a budget', () => {
  const token = { dailyBudgetNanoUsd: nanoUsd }
  const rejection = 'HTTP/1.1 429 Too Many Requests\r\nretry-after: 9\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

  test.each(['times out', 'is left by the client'])('because the connection %s', async (how) => {
    const upstream = await bench.startUpstream()
    const config = { baseUrl: upstream.origin.replace('http:', 'https:'), timeout: how === 'times out' ? 1_000 : 9_000 }
    const account = await bench.createTestAccount({ token, config })
    const leaving = new AbortController()
    const responding = account.chat(one, {}, { signal: leaving.signal }).catch(() => undefined)
    await expect.poll(() => upstream.sockets.size).toBe(1)
    if (how !== 'times out') leaving.abort()
    expect((await responding)?.status).toBe(how === 'times out' ? 504 : undefined)
    await expectNothingSpent(account)
  })

  test('because it rejected the only attempt before the client left', async () => {
    const { account, upstream } = await bench.createAccountWithUpstream((socket) => socket.end(rejection), {
      token,
      config: { retryAttempts: 1 },
    })
    const leaving = new AbortController()
    const responding = account.chat(one, {}, { signal: leaving.signal }).catch(() => undefined)
    await expect.poll(() => [upstream.heads.length, upstream.sockets.size]).toEqual([1, 0])
    leaving.abort()
    await responding
    await expectNothingSpent(account)
  })
})

describe('row 55: the ways around the budget of a token are closed', () => {
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] })
  const unpriced = body.replace('gpt-4o-mini', 'a-model-without-a-price')
  test.each([
    ['a body over 10 MiB', '/chat/completions', body + ' '.repeat(11 * 2 ** 20), json],
    ['another content type', '/chat/completions', body, { 'content-type': 'text/plain' }],
    ['a compressed body', '/chat/completions', gzipSync(body), { ...json, 'content-encoding': 'gzip' }],
    ['a model without a price', '/chat/completions', unpriced, json],
    ['an agent', '/agents/sessions', body, json],
    ['a batch', '/batches', JSON.stringify({ input_file_id: 'file-1', endpoint: '/v1/chat/completions' }), json],
  ])('%s', async (_name, path, sent, headers) => {
    expect(await errorOf(await budgeted.post(one, path, sent, headers))).toEqual([403, 'model_not_priced'])
    expect((await budgeted.fetch(one, '/models')).status).toBe(200)
  })

  test.each([
    ['/realtime/client_secrets', { maxConcurrentRequests: 9 }],
    ['/realtime/sessions?model=gpt-realtime', { monthlyBudgetNanoUsd: nanoUsd }],
    ['/realtime/calls', { requestsPerMinute: 9 }],
    ['/Realtime/translations/client%5Fsecrets', { tokensPerMinute: 9 }],
    ['/live/sessions/live_1/fork', { models: ['gpt-live-1'] }],
    ['/realtime/client_secrets', { dailyBudgetNanoUsd: nanoUsd }],
    ['/realtime/client_secrets', { allowedAddresses: ['127.0.0.0/8'] }],
  ])('a session past the gateway: %s', async (path, restrictions) => {
    const session = JSON.stringify({ model: 'gpt-realtime' })
    const restricted = await createAccount(restrictions)
    expect(await errorOf(await restricted.post(one, path, session, json))).toEqual([403, 'direct_session_not_allowed'])
    expect((await restricted.fetch(one, '/models')).status).toBe(200)
    expect(await errorOf(await free.post(one, path, session, json))).not.toContain('direct_session_not_allowed')
  })

  test('200 in parallel, over two gateways: the budget is spent to 90 % at least, and not exceeded by 1 %', async () => {
    const account = await createAccount({ dailyBudgetNanoUsd: 20_000_000 })
    async function send(index: number): Promise<number | string> {
      const response = await account.chat(gatewayOf(index), { model: 'gpt-4o', max_tokens: 100 })
      const outcome = response.ok ? 200 : (await errorOf(response))[1]
      // On a busy machine, others may have reserved the rest for longer than a request waits.
      return outcome === 'budget_reserved' ? send(index) : outcome
    }
    const outcomes = await atOnce(200, send)
    await expect.poll(() => spendingOf(account)).toMatchObject({ reservedNanoUsd: 0 })
    const { spentNanoUsd } = (await spendingOf(account)) ?? {}
    expect(spentNanoUsd).toBeLessThanOrEqual(20_200_000)
    expect(spentNanoUsd).toBeGreaterThan(18_000_000)
    expect(new Set(outcomes)).toEqual(new Set([200, 'budget_exceeded']))
  })

  test('a stream that outruns what is left ends with an error event, and is charged', async () => {
    const account = await createAccount({ dailyBudgetNanoUsd: 2_000_000 }, ['sk-stream.chunks=400.chunk-delay-ms=1'])
    const response = await account.chat(one, { model: 'gpt-4o', stream: true })
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toMatch(/\n\nevent: error\ndata: \{"type":"error","error":\{.*"code":"budget_exceeded"\}\}\n\n$/)
    await expect.poll(() => spendingOf(account)).toMatchObject({ reservedNanoUsd: 0 })
    const { spentNanoUsd } = (await spendingOf(account)) ?? {}
    expect(spentNanoUsd).toBeGreaterThan(1_900_000)
    expect(spentNanoUsd).toBeLessThanOrEqual(2_020_000)
    expect(await bench.events.of(response)).toMatchObject({ costSource: 'estimated', outcome: 'completed' })
    expect(await errorOf(await account.chat(other))).toEqual([429, 'budget_exceeded'])
  })
})
