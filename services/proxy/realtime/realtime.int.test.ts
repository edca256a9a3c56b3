import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Gateway, openTestBench, type TestBench } from '../test/gateway.fixture.ts'
import { head, RawConnection } from '../test/raw-http.fixture.ts'
import type { TestAccount } from '../test/test-account.fixture.ts'

const provider = createServer((_request, response) => response.writeHead(403).end())
const sockets = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => [...protocols][0] ?? false })
const handshakes: { url: string; authorization: string | undefined; protocol: string | undefined }[] = []

let baseUrl: string
let bench: TestBench
let gateway: Gateway
let account: TestAccount

beforeAll(async () => {
  provider.on('upgrade', (request, socket, first) => {
    const { authorization, 'sec-websocket-protocol': protocol } = request.headers
    handshakes.push({ url: request.url ?? '', authorization, protocol })
    if (request.url?.includes('compressing')) {
      const lines = [
        'HTTP/1.1 101 Ok',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Extensions: permessage-deflate',
      ]
      return void socket.write(head(...lines))
    }
    if (!authorization?.startsWith('Bearer sk-realtime')) return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
    sockets.handleUpgrade(request, socket, first, (peer) => {
      peer.on('message', (data) => {
        const text = String(data)
        if (text !== 'your key?') return peer.send(`echo ${text}`)
        // In parts of a message, with something else in between.
        for (const part of authorization.match(/.{1,9}/g)!) {
          peer.send(part, { fin: false })
          peer.ping(authorization)
        }
        peer.send('.', { fin: true })
      })
    })
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  bench = await openTestBench()
  gateway = await bench.startGateway()
  account = await bench.createTestAccount({ config: { baseUrl }, keys: ['sk-realtime'] })
})
afterAll(async () => {
  await bench.stop()
  provider.close()
  provider.closeAllConnections()
})

const address = (of = gateway) => `${of.baseURL.replace('http', 'ws')}/realtime?model=gpt-realtime`
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** The status with which a handshake is refused. */
async function refusal(url: string, options: object, protocols: string[] = []): Promise<number> {
  const client = new WebSocket(url, protocols, options)
  client.on('error', () => undefined)
  const [, response] = await once(client, 'unexpected-response')
  client.terminate()
  return response.statusCode
}

test('messages go both ways, and the session is one request in the log', async () => {
  const client = new WebSocket(address(), bearer(account.token.secret))
  await once(client, 'open')
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

test('a browser sends its token as a subprotocol, and the provider never sees it', async () => {
  const client = new WebSocket(address(), ['realtime', `openai-insecure-api-key.${account.token.secret}`])
  await once(client, 'open')
  expect(client.protocol).toBe('realtime')
  client.terminate()
  expect(handshakes.at(-1)?.protocol).toBe('realtime')
})

test('a handshake without a valid token never reaches the provider', async () => {
  const before = handshakes.length
  expect(await refusal(address(), {})).toBe(401)
  expect(await refusal(address(), bearer('st_guess'))).toBe(401)
  expect(await refusal(address(), {}, ['realtime', 'openai-insecure-api-key.st_guess'])).toBe(401)
  expect(handshakes).toHaveLength(before)
})

test('sessions count against the limit like every other request', async () => {
  const limited = await bench.createTestAccount({
    config: { baseUrl, rateLimitEnabled: true, maxRequestsPerMinute: 1 },
    keys: ['sk-realtime'],
  })
  const client = new WebSocket(address(), bearer(limited.token.secret))
  await once(client, 'open')
  client.terminate()
  expect(await refusal(address(), bearer(limited.token.secret))).toBe(429)
})

describe('row 65: a key that the provider echoes', () => {
  const key = 'sk-realtime-of-more-than-sixteen-characters'
  const blotted = `Bearer ${'*'.repeat(key.length)}`

  test('can not be read in the frames of a WebSocket', async () => {
    const guest = await bench.createTestAccount({ config: { baseUrl }, keys: [key] })
    const client = new WebSocket(address(), bearer(guest.token.secret))
    await once(client, 'open')
    expect(client.extensions).toBe('')
    const pings: string[] = []
    client.on('ping', (data) => pings.push(String(data)))
    client.send('your key?')
    const [message] = await once(client, 'message')
    expect(String(message)).toBe(`${blotted}.`)
    expect(new Set(pings)).toEqual(new Set([blotted]))
    client.send('x'.repeat(200_000))
    expect(String((await once(client, 'message'))[0])).toBe(`echo ${'x'.repeat(200_000)}`)
    client.close()
    await once(client, 'close')
  })

  test('can not be hidden by an extension that nobody asked for', async () => {
    const guest = await bench.createTestAccount({ config: { baseUrl }, keys: [key] })
    expect(await refusal(`${address()}-compressing`, bearer(guest.token.secret))).toBe(502)
  })
})

describe('row 57: an open socket ends with its credential', () => {
  const ends: Record<string, (guest: TestAccount, id: string) => Promise<unknown>> = {
    'a token that is switched off': (guest, id) => guest.changeToken(id, { isActive: false }),
    'a token that is deleted': (guest, id) => guest.removeToken(id),
    'a token that may no longer be used for the model': (guest, id) => guest.changeToken(id, { models: ['gpt-4o'] }),
    'an account that is disabled': (guest) => guest.disable(),
    'a token that expires': async () => undefined,
  }
  test.each(Object.keys(ends))('%s', async (name) => {
    const guest = await bench.createTestAccount({ config: { baseUrl }, keys: ['sk-realtime'] })
    const expiresAt = name === 'a token that expires' ? new Date(Date.now() + 3_000) : null
    const [ending, staying] = [await guest.addToken({ expiresAt }), guest.token]
    const client = new WebSocket(address(), bearer(ending.secret))
    const other = new WebSocket(address(), bearer(staying.secret))
    await Promise.all([once(client, 'open'), once(other, 'open')])
    const closed = once(client, 'close', { signal: AbortSignal.timeout(8_000) })
    client.on('error', () => undefined)
    await ends[name]!(guest, ending.id)
    await closed
    if (name !== 'an account that is disabled') expect(other.readyState).toBe(WebSocket.OPEN)
    other.terminate()
  })
})

test('a key that is refused gives way to the next one', async () => {
  const backed = await bench.createTestAccount({ config: { baseUrl }, keys: ['sk-refused', 'sk-realtime'] })
  const client = new WebSocket(address(), bearer(backed.token.secret))
  await once(client, 'open')
  client.terminate()
  expect(handshakes.slice(-2).map(({ authorization }) => authorization)).toEqual([
    'Bearer sk-refused',
    'Bearer sk-realtime',
  ])
  const [event] = await bench.events.ofAccount(backed.accountId, 1)
  expect(event).toMatchObject({ status: 101, attempts: 2, apiKeyId: backed.keyIds[1] })
  expect(event!.attemptLog.map(({ result }) => result)).toEqual(['401', '101'])
})

test('and where no key is taken, the client is told', async () => {
  const refused = await bench.createTestAccount({ config: { baseUrl }, keys: ['sk-refused'] })
  expect(await refusal(address(), bearer(refused.token.secret))).toBe(502)
  const [event] = await bench.events.ofAccount(refused.accountId, 1)
  expect(event).toMatchObject({ status: 502, attempts: 1, outcome: 'upstream_failed' })
})

test('a token that is bound to an address: the one that a trusted proxy names counts, and nobody else is believed', async () => {
  const behind = await bench.startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const bound = await bench.createTestAccount({
    config: { baseUrl },
    keys: ['sk-realtime'],
    token: { allowedAddresses: ['203.0.113.7'] },
  })
  const forwarded = { headers: { ...bearer(bound.token.secret).headers, 'x-forwarded-for': '203.0.113.7' } }
  expect(await refusal(address(behind), bearer(bound.token.secret))).toBe(403)
  expect(await refusal(address(), forwarded)).toBe(403)
  const client = new WebSocket(address(behind), forwarded)
  await once(client, 'open')
  client.terminate()
})

test('other upgrades are refused, and nothing is tunnelled', async () => {
  const connection = new RawConnection(gateway.port)
  const authorization = `Authorization: Bearer ${account.token.secret}`
  connection.send(
    head('GET /api/proxy/v1/models HTTP/1.1', 'Host: x', authorization, 'Connection: Upgrade', 'Upgrade: h2c'),
  )
  await connection.end()
  expect(connection.statuses).toEqual([501])
})

test('row 64: two credentials are 400, and so is a model that is named twice', async () => {
  const { secret } = account.token
  expect(await refusal(address(), bearer(secret), [`openai-insecure-api-key.${secret}`])).toBe(400)
  const bound = await bench.createTestAccount({
    config: { baseUrl },
    keys: ['sk-realtime'],
    token: { models: ['gpt-realtime'] },
  })
  for (const rest of ['&model=gpt-other', '?&model=gpt-other', ';model=gpt-other', '&Model=gpt-other']) {
    expect(await refusal(address() + rest, bearer(bound.token.secret))).toBe(400)
    expect(await refusal(address() + rest, bearer(secret))).toBe(400)
  }
  expect(await refusal(`${address()}?`, bearer(bound.token.secret))).toBe(403)
})
