import type { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { mib, minute } from '#core/units.ts'
import { atOnce, type Gateway, useTestBench } from './gateway.fixture.ts'
import { jsonResponse } from './raw-upstream.fixture.ts'
import type { TestAccountOptions } from './test-account.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()

let lastName = 0
async function accountWith(keys: string[], config: TestAccountOptions['config'] = {}) {
  // The provider counts failures by key, and gateways remember the health of keys, so each test has its own keys.
  const own = keys.map((key) => key.replace(/^sk-\w+/, (name) => `${name}${(lastName += 1)}`))
  const account = await bench.createTestAccount({ keys: own, config })
  const used = () => bench.provider.received.map(({ key }) => own.indexOf(key!)).filter((index) => index >= 0)
  return { account, used }
}

test.concurrent.each(['503', '429', '408'])('%s is retried as often as the account allows', async (status) => {
  const { account, used } = await accountWith([`sk-down.status=${status}`], { retryAttempts: 2 })
  const response = await account.chat(gateway)
  expect(response.ok).toBe(false)
  expect(used()).toEqual([0, 0, 0])
  const event = await bench.events.of(response)
  expect(event.attempts).toBe(3)
  expect(event.attemptLog.map(({ apiKeyId }) => apiKeyId)).toEqual(Array(3).fill(account.keyIds[0]))
  expect(event.attemptLog.map(({ result }) => result)).toEqual(Array(3).fill(status))
})

test.concurrent.each([
  [400, 3],
  [401, 3],
  [503, 0],
])('%i is final with a single key and %i retries', async (status, retryAttempts) => {
  const { account, used } = await accountWith([`sk-final.status=${status}`], { retryAttempts })
  const response = await account.chat(gateway)
  expect([response.status, used()]).toEqual([status, [0]])
  expect(response.headers.get('x-provider-request-id')).toMatch(/^req_/)
})

test.concurrent('the client sees only the retry that succeeds; the log has both attempts', async () => {
  const { account } = await accountWith(['sk-flaky.status=500.fail-times=1'], { retryAttempts: 1 })
  const response = await account.chat(gateway)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ object: 'chat.completion' })
  const event = await bench.events.of(response)
  expect(event).toMatchObject({ status: 200, attempts: 2, outcome: 'completed', errorMessage: null })
  expect(event.attemptLog.map(({ result }) => result)).toEqual(['500', '200'])
  const [first, second] = event.attemptLog
  expect(second!.startedAfterMs - first!.startedAfterMs).toBeGreaterThanOrEqual(100)
})

test.concurrent('Retry-After is respected, up to the timeout of the account', async () => {
  const { account } = await accountWith(['sk-busy.status=503.retry-after=1.fail-times=1'], { retryAttempts: 1 })
  const patient = await account.chat(gateway)
  expect(patient.status).toBe(200)
  const event = await bench.events.of(patient)
  expect(event.attemptLog[1]!.startedAfterMs).toBeGreaterThanOrEqual(995)

  const late = await accountWith(['sk-late.status=503.retry-after=5.fail-times=1'], {
    retryAttempts: 3,
    timeout: 2_000,
  })
  const response = await late.account.chat(gateway)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  expect(late.used()).toHaveLength(1)
})

test.concurrent('a body that is too large to buffer is sent once', async () => {
  const { account, used } = await accountWith(['sk-large.status=503', 'sk-other'], { retryAttempts: 3 })
  const response = await account.chat(gateway, { padding: 'x'.repeat(11 * mib) })
  expect(response.status).toBe(503)
  expect(used()).toEqual([0])
})

test.concurrent.each([401, 429, 503])('%i from one key moves on to the next one at once', async (status) => {
  const { account, used } = await accountWith([`sk-one.status=${status}`, `sk-two.status=${status}`, 'sk-three'])
  const response = await account.chat(gateway)
  expect(response.status).toBe(200)
  expect(used()).toEqual([0, 1, 2])
  const event = await bench.events.of(response)
  expect(event.apiKeyId).toBe(account.keyIds[2])
  expect(event.attemptLog.map(({ apiKeyId }) => apiKeyId)).toEqual(account.keyIds)
})

test.concurrent.each([
  ['that is down', 'status=503', 503],
  ['that is busy for long', 'status=429.retry-after=60', 429],
])('the client gets the response of a primary %s, and not that of a revoked backup', async (_what, fault, status) => {
  const keys = [`sk-primary.${fault}`, 'sk-backup.status=401']
  const { account, used } = await accountWith(keys, { retryAttempts: status === 503 ? 0 : 3 })
  const response = await account.chat(gateway)
  expect([response.status, used()]).toEqual([status, [0, 1]])
  const { error } = (await response.json()) as { error: { message: string } }
  const event = await bench.events.of(response)
  expect(event).toMatchObject({ status, apiKeyId: account.keyIds[0], errorMessage: error.message, costNanoUsd: 0 })
  expect(event.attemptLog.map(({ result }) => result)).toEqual([String(status), '401'])
})

test.concurrent('a key that is rejected for one endpoint is still tried first for the others', async () => {
  const { account, used } = await accountWith(['sk-one.status=401.error-code=missing_scope.fail-times=1', 'sk-two'])
  const models = () => account.fetch(gateway, '/models')
  expect((await models()).status).toBe(200)
  expect((await account.chat(gateway)).status).toBe(200)
  expect((await models()).status).toBe(200)
  expect(used()).toEqual([0, 1, 0, 1])
})

test.concurrent('a key that is rejected as such is in cooldown for every endpoint', async ({ expect: expectHere }) => {
  const { account, used } = await accountWith(['sk-one.status=401.fail-times=1', 'sk-two'])
  expect((await account.fetch(gateway, '/models')).status).toBe(200)
  await expectHere.poll(async () => ((await account.chat(gateway)).status, used().at(-1))).toBe(1)
})

const badRequest = (body: string) => jsonResponse(body).replace('200 OK', '400 Bad Request')
const forbidden = (body: string) => jsonResponse(body).replace('200 OK', '403 Forbidden')
const invalidKey = (reason: string, message = 'API key not valid. Please pass a valid API key.') => ({
  error: {
    code: 400,
    message,
    status: 'INVALID_ARGUMENT',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
  },
})
const rejection = JSON.stringify(invalidKey('API_KEY_INVALID'))

test.concurrent.each([
  ['an object', rejection],
  ['a list', `[${rejection}]`],
])("Google's 400 for an invalid key, %s, is like a 401", async (_what, body) => {
  const keys = ['sk-revoked', 'sk-valid']
  const { account, upstream } = await bench.createAccountWithUpstream(
    (socket, _nth, head) => socket.write(head.includes(keys[0]!) ? badRequest(body) : jsonResponse()),
    { keys },
  )
  const response = await account.chat(gateway)
  expect([response.status, await response.text()]).toEqual([200, '{"ok":true}'])
  const event = await bench.events.of(response)
  expect(event.attemptLog.map(({ result }) => result)).toEqual(['400', '200'])
  // For all endpoints: the key itself is rejected.
  expect((await account.fetch(gateway, '/models')).status).toBe(200)
  expect(upstream.heads.map((head) => head.includes(keys[0]!))).toEqual([true, false, false])
  await account.removeKey(account.keyIds[1]!)
  const last = await account.chat(gateway)
  expect([last.status, await last.text()]).toEqual([400, body])
})

test.concurrent.each([
  ['that names the reason elsewhere', JSON.stringify(invalidKey('INVALID_PROMPT', 'Not a field: "API_KEY_INVALID"'))],
  ['that is long', JSON.stringify({ ...invalidKey('API_KEY_INVALID'), more: 'x'.repeat(70_000) })],
  ['without a body', ''],
])('a 400 %s is final', async (_what, body) => {
  const { account, upstream } = await bench.createAccountWithUpstream((socket) => socket.write(badRequest(body)), {
    keys: ['sk-one', 'sk-two'],
  })
  const response = await account.chat(gateway)
  expect([response.status, await response.text()]).toEqual([400, body])
  expect(upstream.heads).toHaveLength(1)
})

test.concurrent("OpenRouter's 403 for a flagged prompt is final, and says nothing about the key", async () => {
  const metadata = { reasons: ['violence'], flagged_input: 'How to …', provider_name: 'OpenAI', model_slug: 'a/b' }
  const flagged = JSON.stringify({ error: { code: 403, message: 'Your input was flagged.', metadata } })
  const { account, upstream } = await bench.createAccountWithUpstream(
    (socket, nth) => socket.write(nth === 0 ? forbidden(flagged) : jsonResponse()),
    { keys: ['sk-one', 'sk-two'] },
  )
  const response = await account.chat(gateway)
  expect([response.status, await response.text()]).toEqual([403, flagged])
  expect((await account.chat(gateway)).status).toBe(200)
  expect(upstream.heads.map((head) => head.includes('sk-one'))).toEqual([true, true])
})

test.concurrent('a client that leaves between two attempts ends the request, and the log has the attempts so far', async ({
  expect: expectHere,
}) => {
  const busy = jsonResponse('{}', 'retry-after: 20', 'connection: close').replace('200 OK', '503 No')
  const { account, upstream } = await bench.createAccountWithUpstream((socket) => socket.end(busy), {
    config: { retryAttempts: 3 },
  })
  const leaving = new AbortController()
  const left = expect(account.chat(gateway, {}, { signal: leaving.signal })).rejects.toThrow()
  // The gateway closes the connection once it has the response.
  await expectHere.poll(() => [upstream.heads.length, upstream.sockets.size]).toEqual([1, 0])
  leaving.abort()
  await left
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  expect(event).toMatchObject({ outcome: 'client_aborted', attempts: 1 })
  expect(event!.attemptLog.map(({ result }) => result)).toEqual(['503'])
  expect(upstream.heads).toHaveLength(1)
})

test.concurrent('without any active key nothing is sent', async () => {
  const account = await bench.createTestAccount({ keys: [] })
  const response = await account.chat(gateway)
  expect([response.status, await response.json()]).toEqual([
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
  expect(await bench.events.of(response)).toMatchObject({ status: 400, attempts: 0 })
})

test('a key that failed is in cooldown on every gateway, and comes back with one probe', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const [one, other] = [await bench.startGateway(), await bench.startGateway()]
  const limited = jsonResponse('{}', 'retry-after: 60').replace('200 OK', '429 No')
  let respondToTired = (socket: Socket) => void socket.write(limited)
  const { account, upstream } = await bench.createAccountWithUpstream(
    (socket, _nth, head) => (head.includes('sk-tired') ? respondToTired(socket) : socket.write(jsonResponse())),
    // With a low limit, each request is counted in Redis between choosing its key and sending it.
    { keys: ['sk-tired', 'sk-backup'], config: { rateLimitEnabled: true, maxRequestsPerMinute: 500 } },
  )
  // As from a proxy of another version.
  for (const message of ['no json', '{"keyId":1}']) await bench.state.publish('sallyport:key-rests', message)
  const keysUsedBy = async (to: Gateway) => {
    const before = upstream.heads.length
    expect((await account.chat(to)).status).toBe(200)
    return upstream.heads.slice(before).map((head) => /Bearer (\S+)/.exec(head)?.[1])
  }
  expect(await keysUsedBy(one)).toEqual(['sk-tired', 'sk-backup'])
  await expect.poll(() => keysUsedBy(other)).toEqual(['sk-backup'])
  expect(await keysUsedBy(one)).toEqual(['sk-backup'])

  // Half open: of many concurrent requests, only one uses the key that was in cooldown.
  vi.setSystemTime(Date.now() + minute)
  const probes: Socket[] = []
  respondToTired = (socket) => void probes.push(socket)
  const before = upstream.heads.length
  const responses = atOnce(10, () => account.chat(one))
  await expect.poll(() => upstream.heads.length).toBe(before + 10)
  expect(probes).toHaveLength(1)
  probes[0]!.write(jsonResponse())
  await responses

  // The probe succeeded, and the other gateway knows.
  respondToTired = (socket) => void socket.write(jsonResponse())
  await expect.poll(() => keysUsedBy(other)).toEqual(['sk-tired'])
})
