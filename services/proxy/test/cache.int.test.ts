import { afterEach, describe, expect, test, vi } from 'vitest'
import { mib } from '#core/units.ts'
import { createQuotaUsageStore } from '#store/redis/quota-usage.ts'
import { atOnce, cacheStatusOf, useTestBench } from './gateway.fixture.ts'
import { okHead } from './raw-upstream.fixture.ts'
import type { TestAccount, TestAccountOptions } from './test-account.fixture.ts'

const bench = await useTestBench()
const [one, other] = [await bench.startGateway(), await bench.startGateway()]

afterEach(() => void vi.useRealTimers())

const usage = createQuotaUsageStore(bench.state)

let lastName = 0
async function createCached(key = 'sk-cache', config: TestAccountOptions['config'] = {}) {
  const own = key.replace(/^sk-\w+/, (name) => `${name}${(lastName += 1)}`)
  const account = await bench.createTestAccount({ keys: [own], config: { cacheSeconds: 60, ...config } })
  return { account, received: () => bench.provider.received.filter((request) => request.key === own).length }
}
const control = (value: string) => ({ headers: { 'cache-control': value } })
/** Sends the request until it is served from the cache: a response is cached only after it was sent. */
const chatUntilHit = (account: TestAccount, body: object = {}) =>
  expect.poll(async () => cacheStatusOf(await account.chat(one, body))).toBe('hit')

describe('an identical request', () => {
  test('is served from the cache on every gateway, with the same response, and costs nothing', async () => {
    const { account, received } = await createCached()
    const first = await account.chat(one)
    expect(cacheStatusOf(first)).toBe('miss')
    await chatUntilHit(account)
    const before = received()
    const text = await first.text()
    for (const gateway of [one, other]) {
      const again = await account.chat(gateway)
      expect([again.status, cacheStatusOf(again), await again.text()]).toEqual([200, 'hit', text])
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
      expect([first, again].map(({ headers }) => headers.get('age'))).toEqual([null, expect.stringMatching(/^[0-9]$/)])
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
      expect(await bench.events.of(again)).toMatchObject({
        cacheStatus: 'hit',
        attempts: 0,
        costNanoUsd: 0,
        status: 200,
        outcome: 'completed',
      })
    }
    expect(received()).toBe(before)
    expect(await bench.events.of(first)).toMatchObject({ cacheStatus: 'miss', attempts: 1 })
  })

  test('for a stream gets all of it, without usage that the client did not ask for', async () => {
    const { account } = await createCached()
    const first = await (await account.chat(one, { stream: true })).text()
    await chatUntilHit(account, { stream: true })
    const again = await account.chat(other, { stream: true })
    expect([cacheStatusOf(again), again.headers.get('content-type')]).toEqual([
      'hit',
      'text/event-stream; charset=utf-8',
    ])
    expect(await again.text()).toBe(first)
    const withUsage = await account.chat(one, { stream: true, stream_options: { include_usage: true } })
    expect(cacheStatusOf(withUsage)).toBe('miss')
    expect(await withUsage.text()).toContain('"usage":{')
  })

  test('counts for the limit of a minute, and its response says what is left', async () => {
    const { account } = await createCached('sk-cache', { rateLimitEnabled: true, maxRequestsPerMinute: 60 })
    await chatUntilHit(account)
    const { headers } = await account.chat(one)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-sallyport-cache': 'hit',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': expect.stringMatching(/^5\d$/),
      'ratelimit-policy': '"account-minute";q=60;w=60',
      via: '1.1 sallyport',
    })
  })

  test('does not use the quota of the plan, and its response says so', async () => {
    const keys = ['sk-quota']
    const account = await bench.createTestAccount({ plan: 'free', keys, config: { cacheSeconds: 60 } })
    await chatUntilHit(account)
    const [again, { today }] = [await account.chat(other), await usage.read(account.accountId)]
    expect([cacheStatusOf(again), again.headers.get('x-ratelimit-remaining')]).toEqual(['hit', String(5 - today)])
  })

  test('at the same time reaches the provider once', async () => {
    const { account, received } = await createCached('sk-flight.delay-ms=500')
    const responses = await atOnce(20, () => account.chat(one))
    const texts = new Set(await Promise.all(responses.map((response) => response.text())))
    expect([received(), texts.size]).toEqual([1, 1])
    expect(responses.map(cacheStatusOf).filter((result) => result === 'miss')).toHaveLength(1)
  })

  test('at the same time is sent when the first one fails', async () => {
    const { account } = await createCached('sk-fail.status=500.delay-ms=200.fail-times=1')
    const responses = await atOnce(3, () => account.chat(one))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 500])
  })
})

test('when the first one of many leaves, one of the others takes its place', async () => {
  const { account, received } = await createCached('sk-relay.delay-ms=2000')
  const abort = new AbortController()
  const leaving = account.chat(one, {}, { signal: abort.signal }).catch(() => undefined)
  await expect.poll(received).toBe(1)
  const waiting = atOnce(10, () => account.chat(one))
  abort.abort()
  const responses = await waiting
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  expect(responses.map(cacheStatusOf).filter((result) => result === 'miss')).toHaveLength(1)
  expect(received()).toBe(2)
  await leaving
})

describe('not served from the cache', () => {
  test.each([{}, control('max-age=60')])(
    'an account that has it switched off, which is the default: %j',
    async (init) => {
      const { account, received } = await createCached('sk-off', { cacheSeconds: 0 })
      for (let time = 0; time < 2; time += 1) expect(cacheStatusOf(await account.chat(one, {}, init))).toBeNull()
      expect(received()).toBe(2)
    },
  )

  test('another body, query, beta or project', async () => {
    const { account } = await createCached()
    await chatUntilHit(account)
    for (const [body, query, headers] of [
      [{ temperature: 0.5 }, '', {}],
      [{}, '?a=1', {}],
      [{}, '', { 'openai-beta': 'x=1' }],
      [{}, '', { 'openai-project': 'other' }],
      [{}, '', { 'accept-language': 'de' }],
    ] as const) {
      const text = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }], ...body })
      const type = { 'content-type': 'application/json' }
      const response = await account.post(one, `/chat/completions${query}`, text, { ...type, ...headers })
      expect([response.status, cacheStatusOf(response)]).toEqual([200, 'miss'])
    }
  })

  test('row 22: another account, whatever it sends', async () => {
    const [victim, thief] = [await createCached(), await createCached()]
    await chatUntilHit(victim.account)
    expect(cacheStatusOf(await thief.account.chat(one))).toBe('miss')
    const truncated = victim.account.token.secret.slice(0, -1)
    for (const authorization of [`Bearer ${truncated}`, `Bearer ${truncated}-`, 'Bearer st_']) {
      const response = await victim.account.chat(one, {}, { headers: { authorization } })
      expect([response.status, cacheStatusOf(response)]).toEqual([401, null])
    }
    const keys = await bench.state.keys('cache:*')
    for (const { account } of [victim, thief]) {
      expect(keys.filter((key) => key.includes(account.accountId))).toHaveLength(1)
    }
  })

  test('a token whose restrictions do not allow the request', async () => {
    const { account } = await createCached()
    await chatUntilHit(account)
    await account.changeToken(account.token.id, { models: ['gpt-4o'] })
    await expect.poll(async () => (await account.chat(one)).status).toBe(403)
  })

  test.each(['status=400', 'reset=stream', `bytes=${2 * mib}`])('a failed or too large response: %s', async (fault) => {
    const { account, received } = await createCached(`sk-no.${fault}`)
    for (let time = 0; time < 3; time += 1) {
      const response = await account.chat(one)
      await response.text().catch(() => undefined)
      await bench.events.of(response)
    }
    expect(received()).toBe(3)
  })

  test.each([
    ['/chat/completions', { store: true }],
    ['/responses', {}],
  ])('a stateful request: %s %j', async (path, body) => {
    const { account, upstream } = await bench.createAccountWithUpstream(undefined, { config: { cacheSeconds: 60 } })
    for (let time = 0; time < 2; time += 1) {
      expect(cacheStatusOf(await account.post(one, path, JSON.stringify(body)))).toBeNull()
    }
    expect(upstream.heads).toHaveLength(2)
  })

  const serverError = '{"error":{"message":"The server had an error","type":"server_error"}}'
  test.each([
    ['a stream that fails after its first half', true, `data: {"choices":[]}\n\ndata: ${serverError}\n\n`],
    ['an error with the status of a success', false, serverError],
  ])('%s', async (_what, stream, failed) => {
    const type = stream ? 'text/event-stream' : 'application/json'
    const { account, upstream } = await bench.createAccountWithUpstream(
      (socket) => socket.write(okHead(`content-type: ${type}`, `content-length: ${failed.length}`) + failed),
      { config: { cacheSeconds: 60 } },
    )
    for (let time = 0; time < 2; time += 1) {
      const response = await account.chat(one, { stream })
      expect([response.status, cacheStatusOf(response), await response.text()]).toEqual([200, 'miss', failed])
      await bench.events.of(response)
    }
    expect(upstream.heads).toHaveLength(2)
  })
})

test('a stream whose usage is hidden is not cached with its original length', async () => {
  const frames = 'data: {"choices":[]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":1}}\n\ndata: [DONE]\n\n'
  const { account } = await bench.createAccountWithUpstream(
    (socket) => socket.write(okHead('content-type: text/event-stream', `content-length: ${frames.length}`) + frames),
    { config: { cacheSeconds: 60 } },
  )
  const first = await (await account.chat(one, { stream: true })).text()
  await chatUntilHit(account, { stream: true })
  expect(await (await account.chat(one, { stream: true })).text()).toBe(first)
})

test('a response whose end is only the end of its connection is not cached: it may have been cut off', async () => {
  let requests = 0
  const { account } = await bench.createAccountWithUpstream(
    (socket) => {
      requests += 1
      socket.end(okHead('content-type: text/event-stream', 'connection: close') + 'data: {"choices":[]}\n\n')
    },
    { config: { cacheSeconds: 60 } },
  )
  for (let time = 0; time < 3; time += 1) {
    const response = await account.chat(one, { stream: true })
    await response.text()
    await bench.events.of(response)
  }
  expect(requests).toBe(3)
})

describe('Cache-Control of the request wins', () => {
  test('no-store: neither read nor written', async () => {
    const { account } = await createCached()
    expect(cacheStatusOf(await account.chat(one, {}, control('no-store')))).toBeNull()
    expect(cacheStatusOf(await account.chat(one))).toBe('miss')
    await chatUntilHit(account)
    expect(cacheStatusOf(await account.chat(one, {}, control('max-age=10, no-store')))).toBeNull()
  })

  test('no-cache: not read, but written', async () => {
    const { account } = await createCached()
    expect(cacheStatusOf(await account.chat(one, {}, control('No-Cache')))).toBe('miss')
    await chatUntilHit(account)
    expect(cacheStatusOf(await account.chat(one, {}, control('no-cache')))).toBe('miss')
  })

  test('max-age: no older than that', async () => {
    const { account } = await createCached()
    expect(cacheStatusOf(await account.chat(one, {}, control('max-age=60')))).toBe('miss')
    await expect.poll(async () => cacheStatusOf(await account.chat(one, {}, control('max-age=60')))).toBe('hit')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 })
    expect(cacheStatusOf(await account.chat(one, {}, control('max-age=1')))).toBe('miss')
  })
})
