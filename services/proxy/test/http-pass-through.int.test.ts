import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { errorOf, useTestBench } from './gateway.fixture.ts'
import { authorizedHead, codeIn, RawConnection } from './raw-http.fixture.ts'
import { jsonResponse } from './raw-upstream.fixture.ts'

const bench = await useTestBench()
const gateway = await bench.startGateway()
const account = await bench.createTestAccount()
const { account: echoed, upstream } = await bench.createAccountWithUpstream((socket, _nth, request) => {
  const response = jsonResponse()
  socket.write(request.startsWith('HEAD') ? response.slice(0, response.indexOf('\r\n\r\n') + 4) : response)
})

const namesOf = (requestHead: string) =>
  [...requestHead.matchAll(/^([\w-]+):/gm)].map(([, name]) => name!.toLowerCase())

test.concurrent.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
  '%s is passed through',
  async (method) => {
    const response = await echoed.fetch(gateway, '/things/1%2F2?order=desc&after=a%20b&x[]=1', {
      method,
      ...(['POST', 'PUT', 'PATCH'].includes(method) && { body: 'some text' }),
    })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(method === 'HEAD' ? '' : '{"ok":true}')
    expect(response.headers.get('content-length')).toBe('11')
    const line = `${method} /v1/things/1%2F2?order=desc&after=a%20b&x[]=1 HTTP/1.1`
    expect(upstream.heads.some((sent) => sent.startsWith(line))).toBe(true)
    expect((await bench.events.of(response)).endpoint).toBe('/v1/things/1%2F2')
  },
)

test('end-to-end headers reach the provider, with its key in place of the token', async () => {
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
      'proxy-authorization': 'Basic eDp5',
      'http-referer': 'https://app.example',
      'x-title': 'App',
      'anthropic-beta': 'tools',
      'x-client-request-id': 'r-1',
      'x-sallyport-tag': 'a',
      'sec-fetch-mode': 'cors',
      via: '1.1 edge',
    },
  })
  const sent = upstream.heads.at(-1)!
  expect(namesOf(sent).toSorted()).toEqual([
    'accept',
    'accept-encoding',
    'accept-language',
    'anthropic-beta',
    'authorization',
    'connection',
    'host',
    'http-referer',
    'idempotency-key',
    'openai-beta',
    'openai-organization',
    'traceparent',
    'user-agent',
    'via',
    'x-client-request-id',
    'x-sallyport-hop',
    'x-stainless-lang',
    'x-title',
  ])
  expect(sent).toContain('authorization: Bearer sk-primary')
  expect(sent).toMatch(/^via: 1\.1 sallyport$/m)
  expect(sent).not.toContain('st_')
  expect(sent).toContain(`host: ${new URL(upstream.origin).host}`)
})

test('end-to-end headers reach the client, but none that would govern pages of the gateway', async () => {
  const { account: guest } = await bench.createAccountWithUpstream((socket) =>
    socket.write(
      jsonResponse(
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
        'x-accel-redirect: /login',
        'retry-after: 3',
        'etag: "x"',
      ),
    ),
  )
  const response = await guest.fetch(gateway, '/models')
  expect([...response.headers.keys()].toSorted()).toEqual([
    'connection',
    'content-length',
    'content-security-policy',
    'content-type',
    'date',
    'etag',
    'keep-alive',
    'openai-version',
    'retry-after',
    'server',
    'via',
    'x-content-type-options',
    'x-powered-by',
    'x-provider-request-id',
    'x-ratelimit-remaining-tokens',
    'x-request-id',
    'x-sallyport-cost-usd',
  ])
  expect(response.headers.get('via')).toBe('1.1 sallyport')
  expect(response.headers.get('x-provider-request-id')).toBe('req_1')
  expect(Number(response.headers.get('x-sallyport-cost-usd'))).toBe(0)
})

test('a binary upload and its download are the same bytes, also when they are too large to buffer', async () => {
  for (const size of [64 * 1_024, 12 * mib]) {
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

test('a chunked upload arrives whole', async () => {
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
  let sent = 0
  for await (const part of parts()) {
    sent += part.length
    if (!outgoing.write(part)) await once(outgoing, 'drain')
  }
  outgoing.end()
  const [incoming] = await once(outgoing, 'response')
  expect(JSON.parse(await text(incoming))).toMatchObject({ object: 'file', bytes: bytes.length })
  expect((await bench.events.of(incoming.headers['x-request-id'])).requestBytes).toBe(sent)
})

test('an upload that is too large to buffer still gets the error response of the provider', async () => {
  const body = Buffer.alloc(12 * mib)
  const unreachable = await bench.createTestAccount({ config: { baseUrl: 'http://127.0.0.1:1' } })
  const rejected = await bench.createTestAccount({ keys: ['sk-bad'] })
  for (const [sender, status, code] of [
    [unreachable, 502, 'upstream_unreachable'],
    [rejected, 401, 'invalid_api_key'],
  ] as const) {
    expect(await errorOf(await sender.fetch(gateway, '/files', { method: 'POST', body }))).toEqual([status, code])
  }
})

test('the log of a chunked upload that no provider gets has what came of it', async () => {
  const unreachable = await bench.createTestAccount({ config: { baseUrl: 'http://127.0.0.1:1' } })
  const body = new Blob([Buffer.alloc(12 * mib)]).stream()
  const response = await unreachable.fetch(gateway, '/files', { method: 'POST', body, duplex: 'half' })
  expect(response.status).toBe(502)
  expect((await bench.events.of(response)).requestBytes).toBeGreaterThan(10 * mib)
})

test.each([true, false])(
  'a body over the limit is rejected while it is sent (length declared: %s)',
  async (declared) => {
    const small = await bench.startGateway({ env: { MAX_BODY_BYTES: String(12 * mib) } })
    const length = declared ? { 'content-length': String(13 * mib) } : {}
    const headers = { ...account.headers, 'content-type': 'multipart/form-data; boundary=b', ...length }
    const outgoing = httpRequest(`${small.baseURL}/files`, { method: 'POST', headers })
    for (let part = 0; part < 13; part += 1) outgoing.write(Buffer.alloc(mib))
    outgoing.end()
    const [incoming] = await once(outgoing, 'response')
    expect([incoming.statusCode, codeIn(await text(incoming))]).toEqual([413, 'body_too_large'])
  },
)

test('a client that reads only after it has sent everything gets the error response too', async () => {
  const small = await bench.startGateway({ env: { MAX_BODY_BYTES: String(12 * mib) } })
  for (const [token, status] of [
    [account.token.secret, 413],
    ['st_bad', 401],
  ] as const) {
    const connection = new RawConnection(small.port)
    connection.socket.pause()
    connection.send(authorizedHead('POST /api/proxy/v1/files', token, `Content-Length: ${20 * mib}`))
    await new Promise((sent) => connection.socket.write(Buffer.alloc(20 * mib), sent))
    connection.socket.resume()
    expect((await connection.responses(1)).statuses).toEqual([status])
    connection.close()
  }
})

test('the gateway responds to Expect: 100-continue itself and does not forward it', async () => {
  const body = JSON.stringify({ model: 'text-embedding-3-small', input: 'Hello' })
  const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue']
  const connection = new RawConnection(gateway.port)
  await connection.send(authorizedHead('POST /api/proxy/v1/embeddings', account.token.secret, ...lines)).responses(1)
  expect(connection.statuses).toEqual([100])
  await connection.send(body).responses(2)
  expect(connection.statuses).toEqual([100, 200])
  expect(bench.provider.received.at(-1)!.headers['expect']).toBeUndefined()
  connection.close()
})

test('row 64: a model that is named twice is 400, and nothing is sent', async () => {
  const before = upstream.heads.length
  for (const response of [
    await echoed.post(gateway, '/embeddings', '{"model":"a","Model":"b"}'),
    await echoed.post(gateway, '/embeddings?model=b', '{"model":"a"}'),
    await echoed.fetch(gateway, '/models?model=a&model=b'),
  ]) {
    expect(await errorOf(response)).toEqual([400, 'ambiguous_model'])
  }
  expect(upstream.heads).toHaveLength(before)
})
