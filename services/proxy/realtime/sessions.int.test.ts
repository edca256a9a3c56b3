import { once } from 'node:events'
import { Agent } from 'node:https'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { proxyErrors } from '#schemas/proxy-errors.ts'
import { useTestBench } from '../test/gateway.fixture.ts'
import { authorizedHead, head, RawConnection } from '../test/raw-http.fixture.ts'
import { jsonResponse } from '../test/raw-upstream.fixture.ts'
import type { TestAccountOptions } from '../test/test-account.fixture.ts'
import { encodeFrame } from './frame-header.ts'
import { rejectionOf, startWebSocketProvider } from './provider.fixture.ts'

const { baseUrl, handshakes, messages } = await startWebSocketProvider()
const bench = await useTestBench()
const gateway = await bench.startGateway()
const createAccount = (options: TestAccountOptions = {}) =>
  bench.createTestAccount({ keys: ['sk-realtime'], ...options, config: { baseUrl, ...options.config } })

const root = gateway.baseURL.replace('http', 'ws')
const open = (path: string, token: string, headers = {}) =>
  new WebSocket(`${root}${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } })

/** Replaces TLS, which the SDK insists on, by a plain connection, as behind a TLS-terminating proxy. */
const agent = new Agent()
agent.createConnection = () => connect(gateway.port, '127.0.0.1')

test.each([
  '/realtime?intent=transcription',
  '/realtime?call_id=rtc_1',
  '/realtime/translations?model=gpt-realtime-translate',
  '/live/sessions/s_1/attach',
  '/responses',
])('%s is upgraded, and end-to-end headers pass both ways', async (path) => {
  const account = await createAccount()
  const client = open(path, account.token.secret, { 'openai-beta': 'responses_websockets=2026-02-06', cookie: 'a=b' })
  const [response] = await once(client, 'upgrade')
  const via = '1.1 sallyport'
  expect(response.headers).toMatchObject({ 'openai-processing-ms': '7', 'x-request-id': expect.any(String), via })
  expect(Buffer.from(response.headers['x-name'], 'latin1').toString()).toBe('grün')
  expect(response.headers).not.toHaveProperty('set-cookie')
  expect(response.headers).not.toHaveProperty('content-length')
  client.terminate()
  const { url, headers } = handshakes.at(-1)!
  expect(url).toBe(`/v1${path}`)
  expect(headers).toMatchObject({
    'openai-beta': 'responses_websockets=2026-02-06',
    authorization: 'Bearer sk-realtime',
    via,
  })
  expect(headers).not.toHaveProperty('cookie')
})

test('a session ends when its client takes nothing of what it was sent', async () => {
  const impatient = await bench.startGateway({ unreadTimeoutMs: 200 })
  const { account, upstream } = await bench.createAccountWithUpstream((socket) => {
    socket.write(head('HTTP/1.1 101 Ok', 'Connection: Upgrade', 'Upgrade: websocket'))
    for (let sent = 0; sent < 500; sent += 1) socket.write(encodeFrame(2, Buffer.alloc(60_000)))
  })
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a', 'Sec-WebSocket-Version: 13']
  const client = new RawConnection(impatient.port)
  client.socket.pause()
  client.send(authorizedHead('GET /api/proxy/v1/realtime?model=gpt-realtime', account.token.secret, ...upgrade))
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  expect(event?.status).toBe(101)
  await expect.poll(() => upstream.sockets.size).toBe(0)
  client.close()
})

test('all subprotocols but the token pass', async () => {
  const { secret } = (await createAccount()).token
  const others = ['realtime', 'openai-organization.org-1', 'openai-project.proj-1', 'openai-beta.realtime-v1']
  const client = new WebSocket(`${root}/realtime?model=gpt-realtime`, [...others, `openai-insecure-api-key.${secret}`])
  await once(client, 'open')
  expect(client.protocol).toBe('realtime')
  client.terminate()
  expect(handshakes.at(-1)!.headers['sec-websocket-protocol']).toBe(others.join(', '))
})

test("a rejected handshake is the provider's, after the next key was tried", async () => {
  const key = 'sk-limited-of-more-than-sixteen-characters'
  const account = await createAccount({ keys: ['sk-limited', key], config: { retryAttempts: 0 } })
  const response = await rejectionOf(open('/responses', account.token.secret))
  expect(response.statusCode).toBe(429)
  const via = '1.1 sallyport'
  expect(response.headers).toMatchObject({ 'retry-after': '7', 'content-type': 'application/json', via })
  expect(Buffer.from(String(response.headers['x-name']), 'latin1').toString()).toBe('grün')
  expect(response.headers).not.toHaveProperty('set-cookie')
  const body = JSON.parse(await text(response))
  expect(body.error).toEqual({ message: `Slow down, Bearer ${'*'.repeat(key.length)}`, code: 'rate_limit_exceeded' })
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  const free = { costNanoUsd: 0, costSource: 'exact' }
  expect(event).toMatchObject({ status: 429, attempts: 2, outcome: 'completed', ...free })
})

test('a rejected handshake ends soon after the next one began, even if its body never comes', async () => {
  const { account, upstream } = await bench.createAccountWithUpstream(
    (socket, nth) => {
      const rejection = jsonResponse().replace('200 OK', '500 No')
      socket.write(nth === 0 ? rejection.slice(0, -1) : rejection)
    },
    { keys: ['sk-endless', 'sk-backup'], config: { timeout: 3_000 } },
  )
  const response = await rejectionOf(open('/responses', account.token.secret))
  expect([response.statusCode, upstream.heads.length]).toEqual([500, 2])
  await expect.poll(() => upstream.sockets.size).toBe(0)
})

test('rows 23 to 25: a private address is rejected with a log, as over HTTP', async () => {
  const strict = await bench.startGateway({ env: { UPSTREAM_ALLOW_CIDRS: '' } })
  const account = await createAccount()
  const address = `${strict.baseURL.replace('http', 'ws')}/responses`
  const response = await rejectionOf(new WebSocket(address, { headers: account.headers }))
  expect([response.statusCode, JSON.parse(await text(response)).error.code]).toEqual([502, 'upstream_forbidden'])
  const overHttp = await account.fetch(strict, '/responses')
  expect(overHttp.status).toBe(502)
  const [event, other] = await bench.events.ofAccount(account.accountId, 2)
  const { status, outcome, errorMessage, attempts } = other!
  expect(event).toMatchObject({ status, outcome, errorMessage, attempts })
  expect(await strict.metric('sallyport_proxy_in_flight')).toBe(0)
})

test("the openai package's client of the Responses API: one log with a line for each response", async () => {
  const account = await createAccount()
  const client = new OpenAI({ apiKey: account.token.secret, baseURL: gateway.baseURL })
  const session = new ResponsesWS(client)
  for (const model of ['gpt-4o', 'gpt-4o-mini']) {
    const completed = new Promise((resolve) => session.once('response.completed', resolve))
    session.send({ type: 'response.create', model, input: 'Hello' })
    expect(await completed).toMatchObject({ response: { model } })
  }
  session.close()
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  expect(event).toMatchObject({
    endpoint: '/v1/responses',
    model: 'gpt-4o',
    status: 101,
    promptTokens: 60,
    completionTokens: 24,
    costNanoUsd: 30 * 2_500 + 12 * 10_000 + 30 * 150 + 12 * 600 + 2 * 10_000_000,
    costSource: 'exact',
    responses: [
      { model: 'gpt-4o', status: 'completed', promptTokens: 30, completionTokens: 12 },
      { model: 'gpt-4o-mini', status: 'completed', promptTokens: 30, completionTokens: 12 },
    ],
  })
})

test("the openai package's client of the Realtime API: cached tokens have a price of their own", async () => {
  const account = await createAccount({ token: { models: ['gpt-realtime'] } })
  const client = new OpenAI({ apiKey: account.token.secret, baseURL: gateway.baseURL })
  const session = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: { agent } }, client)
  await once(session.socket, 'open')
  const done = new Promise((resolve) => session.once('response.done', resolve))
  session.send({ type: 'response.create' })
  await done
  session.close()
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  expect(event).toMatchObject({
    model: 'gpt-realtime',
    promptTokens: 30,
    cachedTokens: 10,
    costNanoUsd: 20 * 4_000 + 10 * 400 + 12 * 16_000,
  })
  expect(event!.responses).toMatchObject([{ model: 'gpt-realtime', status: 'completed' }])
})

describe('row 64: a token that is restricted to models', () => {
  const allowed = { type: 'response.create', model: 'gpt-4o' }
  const ofResponses = '/responses'
  const ofRealtime = '/realtime?model=gpt-4o'
  const ofLive = '/live/sessions'

  test.each<[string, string, string]>([
    ['a response of another model', ofResponses, JSON.stringify({ ...allowed, model: 'gpt-5' })],
    ['a response of no model', ofResponses, '{"type":"response.create"}'],
    ['a model that is named twice', ofResponses, '{"type":"response.create","model":"gpt-5","Model":"gpt-4o"}'],
    ['another model as a fallback', ofResponses, JSON.stringify({ ...allowed, models: ['gpt-5'] })],
    ['an escaped name', ofResponses, String.raw`{"type":"response.create","mode\u006c":"gpt-5"}`],
    ['no JSON', ofResponses, 'model=gpt-5'],
    ['a session of another model', ofRealtime, '{"type":"session.update","session":{"Model":"gpt-5"}}'],
    [
      'a transcription by another model',
      ofRealtime,
      '{"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"gpt-5"}}}}}',
    ],
    [
      'a backend of another model',
      ofLive,
      '{"type":"session.start","session":{"model":"gpt-4o","delegation":{"responses":{"model":"gpt-5"}}}}',
    ],
    ['a live session of another model', ofLive, '{"type":"session.start","session":{"model":"gpt-5"}}'],
    [
      "a tool's model in a backend",
      ofLive,
      '{"type":"session.start","session":{"model":"gpt-4o","delegation":{"responses":{"model":"gpt-4o","tools":[{"type":"image_generation","model":"gpt-5"}]}}}}',
    ],
    ['a live session of no model but in its path', `${ofLive}?model=gpt-4o`, '{"type":"session.start","session":{}}'],
    ['a live session of no model', ofLive, '{"type":"session.start","model":"gpt-4o","session":{}}'],
  ])('%s ends the session, and the provider does not get it', async (_what, path, message) => {
    const account = await createAccount({ token: { models: ['gpt-4o'] } })
    const client = open(path, account.token.secret)
    const received: unknown[] = []
    client.on('message', (data) => received.push(JSON.parse(String(data))))
    await once(client, 'open')
    client.send(JSON.stringify(allowed))
    while (received.length < 2) await once(client, 'message')
    const before = messages.length
    const middle = Math.floor(message.length / 2)
    client.send(message.slice(0, middle), { fin: false })
    client.ping()
    client.send(message.slice(middle))
    const [code, reason] = await once(client, 'close')
    expect([code, String(reason)]).toEqual([1_008, 'model_not_allowed'])
    expect(received.at(-1)).toMatchObject({ type: 'error', status: 403, error: { code: 'model_not_allowed' } })
    const [event] = await bench.events.ofAccount(account.accountId, 1)
    expect(event).toMatchObject({ status: 101, errorMessage: proxyErrors.model_not_allowed.message })
    expect(messages).toHaveLength(before)
  })

  test('messages of its models pass, however long they are', async () => {
    const account = await createAccount({ token: { models: ['gpt-4o'] } })
    const client = open(ofResponses, account.token.secret)
    await once(client, 'open')
    const before = messages.length
    const sizes = [1, 200, 300_000]
    for (const size of sizes) client.send(JSON.stringify({ ...allowed, input: 'x'.repeat(size) }))
    await expect.poll(() => messages.slice(before).map((message) => JSON.parse(message).input.length)).toEqual(sizes)
    client.terminate()
  })

  test('a live session of one of its models starts', async () => {
    const account = await createAccount({ token: { models: ['gpt-live-1', 'gpt-4o'] } })
    const client = open(ofLive, account.token.secret)
    await once(client, 'open')
    const delegation = { type: 'responses', responses: { model: 'gpt-4o' } }
    client.send(JSON.stringify({ type: 'session.start', session: { model: 'gpt-live-1', delegation } }))
    await once(client, 'message')
    client.terminate()
  })

  test.each([
    '/realtime',
    '/realtime?intent=transcription',
    '/realtime?call_id=rtc_1',
    '/live/sessions/live_1/attach',
    '/live/sessions/live_1/fork',
    '/live/sessions/live_1/fork?model=gpt-4o',
    '/live/sessions/live_1/attach?model=gpt-4o',
    '/%6Cive/sessions?model=gpt-4o',
  ])('%s is 403', async (path) => {
    const account = await createAccount({ token: { models: ['gpt-4o'] } })
    expect((await rejectionOf(open(path, account.token.secret))).statusCode).toBe(403)
  })

  test('row 71: a handshake reads neither lists nor objects', async () => {
    const { account } = await bench.createAccountWithUpstream((socket) => socket.write(jsonResponse('{"data":[1]}')), {
      token: { models: ['gpt-4o'] },
    })
    for (const path of ['/files', '/chat/completions', '/chat/completions/chatcmpl-1', '/responses/resp_1']) {
      const response = await rejectionOf(open(`${path}?model=gpt-4o`, account.token.secret))
      expect([path, response.statusCode, JSON.parse(await text(response)).error.code]).toEqual([
        path,
        403,
        'model_not_allowed',
      ])
    }
  })
})
