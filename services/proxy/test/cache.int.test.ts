import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { jsonAnswer, startRawUpstream } from './raw-upstream.fixture.ts'
import type { TestAccount, TestAccountOptions } from './test-account.fixture.ts'

let bench: TestBench
let one: Gateway
let other: Gateway
beforeAll(async () => {
  bench = await openTestBench()
  one = await bench.startGateway()
  other = await bench.startGateway()
})
afterAll(() => bench.stop())

let lastName = 0
async function createCached({ keys = ['sk-cache'], config = {}, ...options }: TestAccountOptions = {}) {
  const own = keys.map((key) => key.replace(/^sk-\w+/, (name) => `${name}${(lastName += 1)}`))
  const account = await bench.createTestAccount({ ...options, keys: own, config: { cacheSeconds: 60, ...config } })
  return { account, asked: () => bench.provider.received.filter(({ key }) => own.includes(key!)).length }
}
const cacheOf = ({ headers }: Response) => headers.get('x-sallyport-cache')
const control = (value: string) => ({ headers: { 'cache-control': value } })
/** Answers are kept a moment after they went out. */
const askUntilHit = (account: TestAccount, body: object = {}, gateway = one) =>
  expect.poll(async () => cacheOf(await account.chat(gateway, body))).toBe('hit')

describe('an identical request', () => {
  test('is answered from the cache on every gateway, as the provider answered, and costs nothing', async () => {
    const { account, asked } = await createCached()
    const first = await account.chat(one)
    expect(cacheOf(first)).toBe('miss')
    await askUntilHit(account)
    const before = asked()
    for (const gateway of [one, other]) {
      const again = await account.chat(gateway)
      expect([again.status, cacheOf(again)]).toEqual([200, 'hit'])
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
      expect(await bench.events.of(again.headers.get('x-request-id'))).toMatchObject({
        cacheStatus: 'hit',
        attempts: 0,
        costNanoUsd: 0,
        status: 200,
        outcome: 'completed',
      })
      expect(await again.text()).toBe(await (await account.chat(other)).text())
    }
    expect(asked()).toBe(before)
    expect(await bench.events.of(first.headers.get('x-request-id'))).toMatchObject({ cacheStatus: 'miss', attempts: 1 })
  })

  test('as a stream comes back whole, without usage that the client did not ask for', async () => {
    const { account } = await createCached()
    const first = await (await account.chat(one, { stream: true })).text()
    await askUntilHit(account, { stream: true })
    const again = await account.chat(other, { stream: true })
    expect([cacheOf(again), again.headers.get('content-type')]).toEqual(['hit', 'text/event-stream; charset=utf-8'])
    expect(await again.text()).toBe(first)
    const asked = await account.chat(one, { stream: true, stream_options: { include_usage: true } })
    expect(cacheOf(asked)).toBe('miss')
    expect(await asked.text()).toContain('"usage":{')
  })

  test('does not use the quota of the plan', async () => {
    const { account } = await createCached({ plan: 'free' })
    await account.chat(one)
    await askUntilHit(account)
    for (let time = 0; time < 6; time += 1) expect((await account.chat(one)).status).toBe(200)
  })

  test('at the same time asks the provider once', async () => {
    const { account, asked } = await createCached({ keys: ['sk-flight.delay-ms=500'] })
    const answers = await Promise.all(Array.from({ length: 20 }, () => account.chat(one)))
    const texts = new Set(await Promise.all(answers.map((answer) => answer.text())))
    expect([asked(), texts.size]).toEqual([1, 1])
    expect(answers.map(cacheOf).filter((result) => result === 'miss')).toHaveLength(1)
  })

  test('at the same time goes on by itself when the first one fails or leaves', async () => {
    const failing = await createCached({ keys: ['sk-fail.status=500.delay-ms=200.fail-times=1'] })
    const answers = await Promise.all(Array.from({ length: 3 }, () => failing.account.chat(one)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 500])

    const left = await createCached({ keys: ['sk-left.delay-ms=400'] })
    const leaving = left.account.chat(one, {}, { signal: AbortSignal.timeout(150) })
    leaving.catch(() => undefined)
    await expect.poll(left.asked).toBe(1)
    const staying = await left.account.chat(one)
    expect(staying.status).toBe(200)
    await expect(leaving).rejects.toThrow()
  })
})

describe('no answer from the cache', () => {
  test('for an account that has it off, which is the default', async () => {
    const { account, asked } = await createCached({ config: { cacheSeconds: 0 } })
    for (let time = 0; time < 2; time += 1) expect(cacheOf(await account.chat(one))).toBeNull()
    expect(asked()).toBe(2)
  })

  test.each([
    ['another body', { temperature: 0.5 }, {}],
    ['another query', {}, { query: '?a=1' }],
    ['another beta', {}, { headers: { 'openai-beta': 'x=1' } }],
    ['another project', {}, { headers: { 'openai-project': 'other' } }],
  ])('for %s', async (_what, body, { query = '', headers = {} }: { query?: string; headers?: object }) => {
    const { account } = await createCached()
    await account.chat(one)
    await askUntilHit(account)
    const answer = await account.fetch(one, `/chat/completions${query}`, {
      method: 'POST',
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }], ...body }),
      headers: { 'content-type': 'application/json', ...headers },
    })
    expect([answer.status, cacheOf(answer)]).toEqual([200, 'miss'])
  })

  test('row 22: another account never gets it, whatever it sends', async () => {
    const victim = await createCached()
    await victim.account.chat(one)
    await askUntilHit(victim.account)
    const thief = await createCached()
    expect(cacheOf(await thief.account.chat(one))).toBe('miss')
    const truncated = victim.account.token.secret.slice(0, -1)
    for (const authorization of [`Bearer ${truncated}`, `Bearer ${truncated}-`, 'Bearer st_']) {
      const answer = await victim.account.chat(one, {}, { headers: { authorization } })
      expect([answer.status, cacheOf(answer)]).toEqual([401, null])
    }
    const keys = await bench.state.keys('cache:*')
    expect(keys.filter((key) => key.includes(victim.account.accountId))).toHaveLength(1)
    expect(keys.filter((key) => key.includes(thief.account.accountId))).toHaveLength(1)
  })

  test('for a token whose bounds do not allow the request', async () => {
    const { account } = await createCached()
    await account.chat(one)
    await askUntilHit(account)
    await account.changeToken(account.token.id, { models: ['gpt-4o'] })
    await expect.poll(async () => (await account.chat(one)).status).toBe(403)
  })

  test('that is an error, broken off or too large', async () => {
    for (const fault of ['status=400', 'reset=stream', `bytes=${2 * mib}`]) {
      const { account, asked } = await createCached({ keys: [`sk-no.${fault}`] })
      for (let time = 0; time < 3; time += 1) {
        await account.chat(one).then((answer) => answer.text().catch(() => undefined))
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
      expect([fault, asked()]).toEqual([fault, 3])
    }
  })

  test('for a request that makes something at the provider', async () => {
    const upstream = await startRawUpstream((socket) => socket.write(jsonAnswer()))
    const { account } = await createCached({ config: { baseUrl: upstream.origin } })
    for (const path of ['/batches', '/files', '/fine_tuning/jobs', '/threads', '/uploads/1/complete']) {
      for (let time = 0; time < 2; time += 1) {
        const init = { method: 'POST', body: '{"same":1}', headers: { 'content-type': 'application/json' } }
        expect([path, cacheOf(await account.fetch(one, path, init))]).toEqual([path, null])
      }
    }
    expect(upstream.heads).toHaveLength(10)
    await upstream.stop()
  })

  test('that was shortened by a frame is not kept with the length of the whole', async () => {
    const frames = 'data: {"choices":[]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":1}}\n\ndata: [DONE]\n\n'
    const upstream = await startRawUpstream((socket) =>
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${frames.length}\r\n\r\n${frames}`,
      ),
    )
    const { account } = await createCached({ config: { baseUrl: upstream.origin } })
    const first = await (await account.chat(one, { stream: true })).text()
    await askUntilHit(account, { stream: true })
    expect(await (await account.chat(one, { stream: true })).text()).toBe(first)
    await upstream.stop()
  })
})

describe('Cache-Control of the request wins', () => {
  test('no-store: neither read nor kept', async () => {
    const { account } = await createCached()
    expect(cacheOf(await account.chat(one, {}, control('no-store')))).toBeNull()
    expect(cacheOf(await account.chat(one))).toBe('miss')
    await askUntilHit(account)
    expect(cacheOf(await account.chat(one, {}, control('max-age=10, no-store')))).toBeNull()
  })

  test('no-cache: not read, but kept anew', async () => {
    const { account } = await createCached()
    expect(cacheOf(await account.chat(one, {}, control('No-Cache')))).toBe('miss')
    await askUntilHit(account)
    expect(cacheOf(await account.chat(one, {}, control('no-cache')))).toBe('miss')
  })

  test('max-age: no older than that', async () => {
    const { account } = await createCached()
    expect(cacheOf(await account.chat(one, {}, control('max-age=60')))).toBe('miss')
    await expect.poll(async () => cacheOf(await account.chat(one, {}, control('max-age=60')))).toBe('hit')
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(cacheOf(await account.chat(one, {}, control('max-age=1')))).toBe('miss')
  })

  test('an account that has the cache off has it off', async () => {
    const { account } = await createCached({ config: { cacheSeconds: 0 } })
    expect(cacheOf(await account.chat(one, {}, control('max-age=60')))).toBeNull()
    expect(cacheOf(await account.chat(one, {}, control('max-age=60')))).toBeNull()
  })
})
