import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { head, RawConnection } from './raw-http.fixture.ts'
import { jsonAnswer, type RawUpstream, startRawUpstream } from './raw-upstream.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

let bench: TestBench
let gateway: Gateway
let echo: RawUpstream
let account: TestAccount
let echoed: TestAccount

beforeAll(async () => {
  bench = await openTestBench()
  gateway = await bench.startGateway()
  echo = await startRawUpstream((socket, _nth, request) => {
    const isHead = request.startsWith('HEAD')
    const answer = jsonAnswer()
    socket.write(isHead ? answer.slice(0, answer.indexOf('\r\n\r\n') + 4) : answer)
  })
  account = await bench.createTestAccount()
  echoed = await bench.createTestAccount({ config: { baseUrl: echo.origin } })
})
afterAll(async () => {
  await echo.stop()
  await bench.stop()
})

const lastReceived = () => bench.provider.received.at(-1)!
const namesOf = (requestHead: string) =>
  [...requestHead.matchAll(/^([\w-]+):/gm)].map(([, name]) => name!.toLowerCase())

test.concurrent.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
  '%s goes through',
  async (method) => {
    const answer = await echoed.fetch(gateway, '/things/1?order=desc&after=a%20b&x[]=1', {
      method,
      ...(['POST', 'PUT', 'PATCH'].includes(method) && { body: 'some text' }),
    })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe(method === 'HEAD' ? '' : '{"ok":true}')
    expect(answer.headers.get('content-length')).toBe('11')
    const line = `${method} /v1/things/1?order=desc&after=a%20b&x[]=1 HTTP/1.1`
    expect(echo.heads.some((sent) => sent.startsWith(line))).toBe(true)
    expect((await bench.events.of(answer.headers.get('x-request-id'))).endpoint).toBe('/v1/things/1')
  },
)

test('only the headers on the list reach the provider, with its key in place of the token', async () => {
  await echoed.fetch(gateway, '/models', {
    headers: {
      accept: 'application/json',
      'accept-language': 'en',
      'idempotency-key': 'once',
      'openai-organization': 'org-1',
      'openai-beta': 'assistants=v2',
      'x-stainless-lang': 'js',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'user-agent': 'test/1.0',
      cookie: 'session=secret',
      'x-forwarded-for': '8.8.8.8',
      forwarded: 'for=8.8.8.8',
      'x-real-ip': '8.8.8.8',
      referer: 'https://example.com/private',
      origin: 'https://example.com',
      'x-api-key': 'mine',
      'api-key': 'mine',
      'proxy-authorization': 'Basic eDp5',
      'x-provider-status': '500',
    },
  })
  const sent = echo.heads.at(-1)!
  expect(namesOf(sent).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'authorization',
    'connection',
    'host',
    'idempotency-key',
    'openai-beta',
    'openai-organization',
    'traceparent',
    'user-agent',
    'x-sallyport-hop',
    'x-stainless-lang',
  ])
  expect(sent).toContain('authorization: Bearer sk-primary')
  expect(sent).not.toContain('st_')
  expect(sent).toContain(`host: ${new URL(echo.origin).host}`)
})

test('only the headers on the list reach the client', async () => {
  const talkative = await startRawUpstream((socket) =>
    socket.write(
      jsonAnswer(
        undefined,
        'set-cookie: a=b',
        'x-request-id: req_1',
        'openai-version: 2020-10-01',
        'x-ratelimit-remaining-tokens: 5',
        'server: secret/1.0',
        'x-powered-by: php',
        'strict-transport-security: max-age=1',
        'access-control-allow-origin: *',
        'x-sallyport-cost-usd: 1000',
        'x-sallyport-cache: hit',
        'x-ratelimit-limit: 7',
        'alt-svc: h3=":443"',
        'retry-after: 3',
        'etag: "x"',
      ),
    ),
  )
  const guest = await bench.createTestAccount({ config: { baseUrl: talkative.origin } })
  const answer = await guest.fetch(gateway, '/models')
  expect([...answer.headers.keys()].toSorted()).toEqual([
    'connection',
    'content-length',
    'content-security-policy',
    'content-type',
    'date',
    'etag',
    'keep-alive',
    'openai-version',
    'retry-after',
    'server-timing',
    'x-content-type-options',
    'x-provider-request-id',
    'x-ratelimit-remaining-tokens',
    'x-request-id',
    'x-sallyport-cost-usd',
    'x-sallyport-overhead-ms',
  ])
  expect(answer.headers.get('x-provider-request-id')).toBe('req_1')
  expect(Number(answer.headers.get('x-sallyport-cost-usd'))).toBe(0)
  await talkative.stop()
})

test('a binary upload and its download are the same bytes, also when they are too large to be kept', async () => {
  for (const size of [1, 64 * 1_024, 24 * mib]) {
    const bytes = randomBytes(size)
    const form = new FormData()
    form.set('purpose', 'user_data')
    form.set('file', new Blob([bytes]), 'bytes.bin')
    const created = await account.fetch(gateway, '/files', { method: 'POST', body: form })
    expect(created.status).toBe(200)
    const { id } = (await created.json()) as { id: string }
    const content = await account.fetch(gateway, `/files/${id}/content`)
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true)
    await account.fetch(gateway, `/files/${id}`, { method: 'DELETE' })
  }
})

test('an upload in chunks of unknown number arrives whole', async () => {
  const bytes = randomBytes(12 * mib)
  async function* parts() {
    yield '--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n'
    yield '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n'
    for (let at = 0; at < bytes.length; at += mib) yield bytes.subarray(at, at + mib)
    yield '\r\n--b--\r\n'
  }
  const outgoing = httpRequest(`${gateway.baseURL}/files`, {
    method: 'POST',
    headers: { ...account.headers, 'content-type': 'multipart/form-data; boundary=b' },
  })
  for await (const part of parts()) if (!outgoing.write(part)) await once(outgoing, 'drain')
  outgoing.end()
  const [incoming] = await once(outgoing, 'response')
  expect(JSON.parse(await text(incoming))).toMatchObject({ object: 'file', bytes: bytes.length })
})

test('an upload that is too large to be kept still gets the answer of a provider that refuses it', async () => {
  const body = Buffer.alloc(24 * mib)
  const dead = await bench.createTestAccount({ config: { baseUrl: 'http://127.0.0.1:1' } })
  const unreachable = await dead.fetch(gateway, '/files', { method: 'POST', body })
  expect([unreachable.status, await unreachable.json()]).toMatchObject([
    502,
    { error: { code: 'upstream_unreachable' } },
  ])

  const refused = await bench.createTestAccount({ keys: ['sk-bad'] })
  const early = await refused.fetch(gateway, '/files', { method: 'POST', body })
  expect([early.status, await early.json()]).toMatchObject([401, { error: { code: 'invalid_api_key' } }])
})

test('a body that turns out to be too large on its way is refused as such', async () => {
  const small = await bench.startGateway({ env: { MAX_BODY_BYTES: String(12 * mib) } })
  const post = (declared: boolean) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const outgoing = httpRequest(`${small.baseURL}/files`, {
        method: 'POST',
        headers: {
          ...account.headers,
          'content-type': 'multipart/form-data; boundary=b',
          ...(declared && { 'content-length': String(13 * mib) }),
        },
      })
      outgoing.on('error', reject)
      outgoing.on('response', async (incoming) => resolve({ status: incoming.statusCode, body: await text(incoming) }))
      for (let part = 0; part < 13; part += 1) outgoing.write(Buffer.alloc(mib))
      outgoing.end()
    })
  for (const declared of [true, false]) {
    const { status, body } = await post(declared)
    expect([declared, status, JSON.parse(body)]).toMatchObject([declared, 413, { error: { code: 'body_too_large' } }])
  }
})

test('a client that looks for an answer only when all is sent sees a refusal too', async () => {
  const small = await bench.startGateway({ env: { MAX_BODY_BYTES: String(12 * mib) } })
  for (const [token, status] of [
    [account.token.secret, 413],
    ['st_bad', 401],
  ] as const) {
    const connection = new RawConnection(small.port)
    connection.socket.pause()
    const lines = ['POST /api/proxy/v1/files HTTP/1.1', 'Host: gateway', `Authorization: Bearer ${token}`]
    connection.send(head(...lines, `Content-Length: ${20 * mib}`))
    await new Promise((sent) => connection.socket.write(Buffer.alloc(20 * mib), sent))
    connection.socket.resume()
    expect((await connection.answers(1)).statuses).toEqual([status])
    connection.close()
  }
})

test('Expect: 100-continue is answered by the gateway and never travels', async () => {
  const body = JSON.stringify({ model: 'text-embedding-3-small', input: 'Hello' })
  const connection = new RawConnection(gateway.port)
  connection.send(
    head(
      'POST /api/proxy/v1/embeddings HTTP/1.1',
      'Host: gateway',
      `Authorization: Bearer ${account.token.secret}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ),
  )
  await connection.answers(1)
  expect(connection.statuses).toEqual([100])
  connection.send(body)
  await connection.answers(2)
  expect(connection.statuses).toEqual([100, 200])
  expect(lastReceived().headers['expect']).toBeUndefined()
  connection.close()
})

test('a base URL with a path is kept, one that ends in /v1 is not doubled', async () => {
  const below = await bench.createTestAccount({ config: { baseUrl: `${echo.origin}/openai/v1` } })
  await below.fetch(gateway, '/models')
  expect(echo.heads.at(-1)).toMatch(/^GET \/openai\/v1\/models HTTP/)
})

test('row 64: a model that is named twice is 400, and nothing is sent', async () => {
  const guest = await bench.createTestAccount({ config: { baseUrl: echo.origin } })
  const before = echo.heads.length
  const headers = { 'content-type': 'application/json' }
  const twice = await guest.fetch(gateway, '/embeddings', {
    method: 'POST',
    headers,
    body: '{"model":"a","Model":"b"}',
  })
  const both = await guest.fetch(gateway, '/embeddings?model=b', { method: 'POST', headers, body: '{"model":"a"}' })
  for (const response of [twice, both, await guest.fetch(gateway, '/models?model=a&model=b')]) {
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'ambiguous_model' } })
  }
  expect(echo.heads).toHaveLength(before)
})
