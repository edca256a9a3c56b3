import { afterAll, beforeAll, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { jsonAnswer, startRawUpstream } from './raw-upstream.fixture.ts'
import type { TestAccountOptions } from './test-account.fixture.ts'

let bench: TestBench
let gateway: Gateway
beforeAll(async () => {
  bench = await openTestBench()
  gateway = await bench.startGateway()
})
afterAll(() => bench.stop())

let lastName = 0
/** Keys of a test's own: the provider counts failures by key, and the gateways remember how keys did. */
const uniquely = (key: string) => key.replace(/^sk-\w+/, (name) => `${name}${(lastName += 1)}`)

async function accountWith(keys: string[], config: TestAccountOptions['config'] = {}) {
  const own = keys.map(uniquely)
  const account = await bench.createTestAccount({ keys: own, config })
  const used = () => bench.provider.received.filter(({ key }) => own.includes(key!)).map(({ key }) => own.indexOf(key!))
  return { account, used }
}

test.concurrent.each([
  ['500', 'status=500'],
  ['503', 'status=503'],
  ['408', 'status=408'],
  ['409', 'status=409'],
  ['429', 'status=429'],
  ['a cut connection', 'reset=before'],
])('%s is tried again as often as the account wants, and no oftener', async (_what, control) => {
  const { account, used } = await accountWith([`sk-down.${control}`], { retryAttempts: 2 })
  const answer = await account.chat(gateway)
  expect(answer.ok).toBe(false)
  expect(used()).toEqual([0, 0, 0])
  const event = await bench.events.of(answer.headers.get('x-request-id'))
  expect(event.attempts).toBe(3)
  expect(event.attemptLog.map(({ apiKeyId }) => apiKeyId)).toEqual(Array(3).fill(account.keyIds[0]))
  const result = control.startsWith('status') ? control.slice(-3) : 'upstream_unreachable'
  expect(event.attemptLog.map((attempt) => attempt.result)).toEqual(Array(3).fill(result))
})

test.concurrent.each([400, 404, 422, 401, 403])('%i is final with a single key', async (status) => {
  const { account, used } = await accountWith([`sk-final.status=${status}`], { retryAttempts: 3 })
  expect((await account.chat(gateway)).status).toBe(status)
  expect(used()).toEqual([0])
})

test.concurrent('no retries when the account wants none', async () => {
  const { account, used } = await accountWith(['sk-none.status=503'], { retryAttempts: 0 })
  const answer = await account.chat(gateway)
  expect([answer.status, answer.headers.get('x-provider-request-id')]).toEqual([503, expect.stringMatching(/^req_/)])
  expect(used()).toHaveLength(1)
})

test.concurrent('a retry that succeeds is all that the client sees; the log has both tries', async () => {
  const { account } = await accountWith(['sk-flaky.status=500.fail-times=1'], { retryAttempts: 1 })
  const answer = await account.chat(gateway)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ object: 'chat.completion' })
  const event = await bench.events.of(answer.headers.get('x-request-id'))
  expect(event).toMatchObject({ status: 200, attempts: 2, outcome: 'completed', errorMessage: null })
  expect(event.attemptLog.map(({ result }) => result)).toEqual(['500', '200'])
  const [first, second] = event.attemptLog
  expect(second!.startedAfterMs - first!.startedAfterMs).toBeGreaterThanOrEqual(100)
})

test.concurrent('Retry-After is waited for, up to the timeout of the account', async () => {
  const { account } = await accountWith(['sk-busy.status=503.retry-after=1.fail-times=1'], { retryAttempts: 1 })
  const patient = await account.chat(gateway)
  expect(patient.status).toBe(200)
  const event = await bench.events.of(patient.headers.get('x-request-id'))
  expect(event.attemptLog[1]!.startedAfterMs).toBeGreaterThanOrEqual(995)

  const late = await accountWith(['sk-late.status=503.retry-after=5.fail-times=1'], {
    retryAttempts: 3,
    timeout: 2_000,
  })
  const answer = await late.account.chat(gateway)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(late.used()).toHaveLength(1)
})

test.concurrent('an answer that has begun is never repeated', async () => {
  const { account, used } = await accountWith(['sk-cut.reset=stream'], { retryAttempts: 3 })
  const answer = await account.chat(gateway, { stream: true })
  expect(answer.status).toBe(200)
  await expect(answer.text()).rejects.toThrow()
  expect(used()).toHaveLength(1)
})

test.concurrent('a body that is too large to be kept is sent once', async () => {
  const { account, used } = await accountWith(['sk-large.status=503', 'sk-other'], { retryAttempts: 3 })
  const answer = await account.chat(gateway, { padding: 'x'.repeat(11 * mib) })
  expect(answer.status).toBe(503)
  expect(used()).toEqual([0])
})

test.concurrent('a body that is kept is sent again byte for byte', async () => {
  const bodies: string[] = []
  const upstream = await startRawUpstream((socket, nth) => {
    socket.write(nth === 0 ? jsonAnswer('{"error":{}}').replace('200 OK', '503 No') : jsonAnswer())
  })
  const account = await bench.createTestAccount({ config: { baseUrl: upstream.origin, retryAttempts: 1 } })
  const answer = await account.fetch(gateway, '/things', { method: 'POST', body: 'a'.repeat(1_000) })
  expect(answer.status).toBe(200)
  bodies.push(...upstream.heads.map((head) => /content-length: \d+/.exec(head)?.[0] ?? ''))
  expect(bodies).toEqual(['content-length: 1000', 'content-length: 1000'])
  await upstream.stop()
})

test.concurrent.each([401, 403, 429, 500, 503])('%i from one key moves on to the next one at once', async (status) => {
  const { account, used } = await accountWith([`sk-one.status=${status}`, `sk-two.status=${status}`, 'sk-three'])
  const answer = await account.chat(gateway)
  expect(answer.status).toBe(200)
  expect(used()).toEqual([0, 1, 2])
  const event = await bench.events.of(answer.headers.get('x-request-id'))
  expect(event.apiKeyId).toBe(account.keyIds[2])
  expect(event.attemptLog.map(({ apiKeyId }) => apiKeyId)).toEqual(account.keyIds)
})

test.concurrent('a key that is refused for one endpoint is asked first for the others', async () => {
  const { account, used } = await accountWith(['sk-one.status=401.error-code=missing_scope.fail-times=1', 'sk-two'])
  const models = () => account.fetch(gateway, '/models')
  expect((await models()).status).toBe(200)
  expect((await account.chat(gateway)).status).toBe(200)
  expect((await models()).status).toBe(200)
  expect(used()).toEqual([0, 1, 0, 1])
})

test.concurrent('a key that is refused as such rests for everything', async () => {
  const { account, used } = await accountWith(['sk-one.status=401.fail-times=1', 'sk-two'])
  expect((await account.fetch(gateway, '/models')).status).toBe(200)
  await expect.poll(async () => ((await account.chat(gateway)).status, used().at(-1))).toBe(1)
})

test.concurrent('408 is nobody’s fault: the same key is tried again', async () => {
  const { account, used } = await accountWith(['sk-one.status=408.fail-times=1', 'sk-two'], { retryAttempts: 1 })
  expect((await account.chat(gateway)).status).toBe(200)
  expect(used()).toEqual([0, 0])
})

test.concurrent('keys that all rest are tried all the same', async () => {
  const { account, used } = await accountWith(['sk-one.status=401', 'sk-two.status=401'])
  for (let time = 0; time < 2; time += 1) {
    const answer = await account.chat(gateway)
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code: 'invalid_api_key' } }])
  }
  expect(used().toSorted()).toEqual([0, 0, 1, 1])
})

test.concurrent('a client that leaves between two tries ends the request, and the log has the tries that were made', async () => {
  const { account, used } = await accountWith(['sk-gone.status=503.retry-after=20'], { retryAttempts: 3 })
  await expect(account.chat(gateway, {}, { signal: AbortSignal.timeout(200) })).rejects.toThrow()
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  expect(event).toMatchObject({ outcome: 'client_aborted', attempts: 1 })
  expect(event!.attemptLog.map(({ result }) => result)).toEqual(['503'])
  expect(used()).toHaveLength(1)
})

test.concurrent('a hanging provider is 504 after the timeout, with the tries that the account wants', async () => {
  const { account, used } = await accountWith(['sk-hang.hang=1'], { retryAttempts: 1, timeout: 1_000 })
  const answer = await account.chat(gateway)
  expect([answer.status, await answer.json()]).toMatchObject([504, { error: { code: 'upstream_timeout' } }])
  expect(used()).toHaveLength(2)
  expect(await bench.events.of(answer.headers.get('x-request-id'))).toMatchObject({
    status: 504,
    outcome: 'upstream_failed',
    attemptLog: [{ result: 'upstream_timeout' }, { result: 'upstream_timeout' }],
  })
})

test.concurrent('without any active key there is nothing to try', async () => {
  const account = await bench.createTestAccount({ keys: [] })
  const answer = await account.chat(gateway)
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      error: {
        message: 'no active API key found. Add a provider key under API Keys.',
        type: 'invalid_request_error',
        param: null,
        code: 'no_active_key',
      },
    },
  ])
  expect(await bench.events.of(answer.headers.get('x-request-id'))).toMatchObject({ status: 400, attempts: 0 })
})

test('a key that failed rests on every gateway, and comes back with one probe', async () => {
  const other = await bench.startGateway()
  const { account, used } = await accountWith(
    ['sk-tired.status=429.retry-after=1.fail-times=1.delay-ms=300', 'sk-backup'],
    // Of few that are allowed each is counted in Redis: a key is chosen before that, and sent after it.
    { rateLimitEnabled: true, maxRequestsPerMinute: 500 },
  )
  expect((await account.chat(gateway)).status).toBe(200)
  expect(used()).toEqual([0, 1])

  await expect
    .poll(async () => {
      await account.chat(other)
      return used().at(-1)
    })
    .toBe(1)
  await account.chat(gateway)
  expect(used().filter((key) => key === 0)).toHaveLength(1)

  // Half open: of many requests at once only one asks the key that rested.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const before = used().length
  await Promise.all(Array.from({ length: 10 }, () => account.chat(gateway)))
  expect(
    used()
      .slice(before)
      .filter((key) => key === 0),
  ).toHaveLength(1)

  // The probe went well, and the other gateway knows.
  await expect
    .poll(async () => {
      await account.chat(other)
      return used().at(-1)
    })
    .toBe(0)
  await other.stop()
})
