import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { hour } from '#core/units.ts'
import { uuidTimeMs } from '#core/uuid-time.ts'
import { useTestBench } from '../test/gateway.fixture.ts'
import { head } from '../test/raw-http.fixture.ts'
import type { TestAccount, TestAccountOptions } from '../test/test-account.fixture.ts'
import { listenUntilEnd, rejectionOf } from './provider.fixture.ts'

const provider = createServer((_request, response) => response.writeHead(403).end())
const sockets = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => [...protocols][0] ?? false })
const handshakes: { url: string; authorization: string | undefined; protocol: string | undefined }[] = []

provider.on('upgrade', (request, socket, first) => {
  const { authorization, 'sec-websocket-protocol': protocol } = request.headers
  handshakes.push({ url: request.url ?? '', authorization, protocol })
  if (request.url?.includes('compressing')) {
    const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Extensions: permessage-deflate']
    return void socket.write(head('HTTP/1.1 101 Ok', ...lines))
  }
  if (!authorization?.startsWith('Bearer sk-realtime')) return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
  sockets.handleUpgrade(request, socket, first, (peer) => {
    peer.on('message', (data) => {
      const text = String(data)
      if (text !== 'your key?') return peer.send(`echo ${text}`)
      // As fragments of one message, with control frames in between.
      for (const part of authorization.match(/.{1,9}/g)!) {
        peer.send(part, { fin: false })
        peer.ping(authorization)
      }
      peer.send('.', { fin: true })
    })
  })
})
const baseUrl = await listenUntilEnd(provider)
afterEach(() => void vi.useRealTimers())
const bench = await useTestBench()
const gateway = await bench.startGateway()
const createAccount = (options: TestAccountOptions = {}) =>
  bench.createTestAccount({ keys: ['sk-realtime'], ...options, config: { baseUrl, ...options.config } })
const account = await createAccount()

const address = (of = gateway) => `${of.baseURL.replace('http', 'ws')}/realtime?model=gpt-realtime`
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function connect(token: string, to = address(), headers = {}): Promise<WebSocket> {
  const client = new WebSocket(to, { headers: { ...bearer(token).headers, ...headers } })
  await once(client, 'open')
  return client
}

/** The status of a rejected handshake. */
async function rejectedStatus(url: string, options: object, protocols: string[] = []): Promise<number> {
  const client = new WebSocket(url, protocols, options)
  const { statusCode = 0 } = await rejectionOf(client)
  client.terminate()
  return statusCode
}

test('messages go both ways, and the session is one request in the log', async () => {
  const client = await connect(account.token.secret)
  client.send('hello')
  const [message] = await once(client, 'message')
  expect(String(message)).toBe('echo hello')
  client.close()
  await once(client, 'close')
  expect(handshakes.at(-1)).toMatchObject({
    url: '/v1/realtime?model=gpt-realtime',
    authorization: 'Bearer sk-realtime',
  })
  const [event] = await bench.events.ofAccount(account.accountId, 1)
  expect(event).toMatchObject({ endpoint: '/v1/realtime', model: 'gpt-realtime', status: 101, outcome: 'completed' })
  expect(event!.requestBytes).toBeGreaterThan(0)
  expect(event!.responseBytes).toBeGreaterThan(0)
})

test('a session has the time of its beginning, even after the clock was ahead', async () => {
  const { accountId, token } = await createAccount()
  const open = async () => (await connect(token.secret)).terminate()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hour })
  await open().finally(() => vi.useRealTimers())
  await open()
  const times = (await bench.events.ofAccount(accountId, 2)).map(({ id }) => uuidTimeMs(id))
  expect(Math.min(...times)).toBeLessThanOrEqual(Date.now())
})

test('a handshake without a valid token never reaches the provider', async () => {
  const before = handshakes.length
  expect(await rejectedStatus(address(), {})).toBe(401)
  expect(await rejectedStatus(address(), bearer('st_guess'))).toBe(401)
  expect(await rejectedStatus(address(), {}, ['realtime', 'openai-insecure-api-key.st_guess'])).toBe(401)
  expect(handshakes).toHaveLength(before)
})

test('sessions count against the limit like every other request', async () => {
  const limited = await createAccount({ config: { rateLimitEnabled: true, maxRequestsPerMinute: 1 } })
  const client = await connect(limited.token.secret)
  client.terminate()
  expect(await rejectedStatus(address(), bearer(limited.token.secret))).toBe(429)
})

describe('row 65: a key that the provider echoes', () => {
  const key = 'sk-realtime-of-more-than-sixteen-characters'
  const masked = `Bearer ${'*'.repeat(key.length)}`

  test('is masked in the frames of a WebSocket', async () => {
    const guest = await createAccount({ keys: [key] })
    const client = await connect(guest.token.secret)
    expect(client.extensions).toBe('')
    const pings: string[] = []
    client.on('ping', (data) => pings.push(String(data)))
    client.send('your key?')
    const [message] = await once(client, 'message')
    expect(String(message)).toBe(`${masked}.`)
    expect(new Set(pings)).toEqual(new Set([masked]))
    client.send('x'.repeat(200_000))
    expect(String((await once(client, 'message'))[0])).toBe(`echo ${'x'.repeat(200_000)}`)
    client.close()
    await once(client, 'close')
  })

  test('can not be hidden by an extension that was not offered', async () => {
    const guest = await createAccount({ keys: [key] })
    expect(await rejectedStatus(`${address()}-compressing`, bearer(guest.token.secret))).toBe(502)
  })
})

describe('row 57: an open socket ends with its credential', () => {
  test.each<[string, (guest: TestAccount, id: string) => unknown, object?]>([
    ['a token that is switched off', (guest, id) => guest.changeToken(id, { isActive: false })],
    ['a token that is deleted', (guest, id) => guest.removeToken(id)],
    ['a token that is restricted to other models', (guest, id) => guest.changeToken(id, { models: ['gpt-4o'] })],
    ['a token that gets its first budget', (guest, id) => guest.changeToken(id, { dailyBudgetNanoUsd: 1e9 })],
    [
      'a token with another limit that gets its first budget',
      (guest, id) => guest.changeToken(id, { dailyBudgetNanoUsd: 1e9 }),
      { maxConcurrentRequests: 9 },
    ],
    [
      'a token whose budget is lowered',
      (guest, id) => guest.changeToken(id, { monthlyBudgetNanoUsd: 1e9 }),
      { monthlyBudgetNanoUsd: 2e9 },
    ],
    ['a token that gets a limit of tokens', (guest, id) => guest.changeToken(id, { tokensPerMinute: 1_000 })],
    ['an account that is disabled', (guest) => guest.disable()],
    [
      'a token that has expired, once the account changes',
      (guest) => {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hour })
        return bench.invalidate(guest.accountId)
      },
      { expiresAt: new Date(Date.now() + hour) },
    ],
  ])('%s', async (name, change, options) => {
    const guest = await createAccount()
    const ending = await guest.addToken(options)
    const [client, other] = await Promise.all([connect(ending.secret), connect(guest.token.secret)])
    const closed = once(client, 'close')
    client.on('error', () => undefined)
    await change(guest, ending.id)
    expect((await closed)[0]).toBe(1_008)
    if (name !== 'an account that is disabled') expect(other.readyState).toBe(WebSocket.OPEN)
    other.terminate()
  })
})

test('the sessions that a stopping gateway cuts off are told to go elsewhere, and logged as interrupted', async () => {
  const stopping = await bench.startGateway()
  const guest = await createAccount()
  const client = await connect(guest.token.secret, address(stopping))
  const closed = once(client, 'close')
  stopping.cut()
  expect((await closed)[0]).toBe(1_001)
  expect(await bench.events.ofAccount(guest.accountId, 1)).toMatchObject([{ outcome: 'interrupted' }])
})

test('after a rejected key the next one is tried', async () => {
  const backed = await createAccount({ keys: ['sk-rejected', 'sk-realtime'] })
  const client = await connect(backed.token.secret)
  client.terminate()
  expect(handshakes.slice(-2).map(({ authorization }) => authorization)).toEqual([
    'Bearer sk-rejected',
    'Bearer sk-realtime',
  ])
  const [event] = await bench.events.ofAccount(backed.accountId, 1)
  expect(event).toMatchObject({ status: 101, attempts: 2, apiKeyId: backed.keyIds[1] })
  expect(event!.attemptLog.map(({ result }) => result)).toEqual(['401', '101'])
})

test('a token that is restricted to an address: X-Forwarded-For counts from a trusted proxy only', async () => {
  const behind = await bench.startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const { secret } = (await createAccount({ token: { allowedAddresses: ['203.0.113.7'] } })).token
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  expect(await rejectedStatus(address(behind), bearer(secret))).toBe(403)
  expect(await rejectedStatus(address(), { headers: { ...bearer(secret).headers, ...forwarded } })).toBe(403)
  const client = await connect(secret, address(behind), forwarded)
  client.terminate()
})

test('row 64: two credentials are 400, and so is a model that is named twice', async () => {
  const { secret } = account.token
  const protocol = `openai-insecure-api-key.${secret}`
  expect(await rejectedStatus(address(), bearer((await account.addToken()).secret), [protocol])).toBe(400)
  const twice = new WebSocket(address(), ['realtime', protocol], { headers: { 'api-key': secret } })
  await once(twice, 'open')
  twice.terminate()
  const restricted = await createAccount({ token: { models: ['gpt-realtime'] } })
  for (const rest of ['&model=gpt-other', '?&model=gpt-other', ';model=gpt-other', '&Model=gpt-other']) {
    expect(await rejectedStatus(address() + rest, bearer(restricted.token.secret))).toBe(400)
    expect(await rejectedStatus(address() + rest, bearer(secret))).toBe(400)
  }
  expect(await rejectedStatus(`${address()}?`, bearer(restricted.token.secret))).toBe(403)
})
