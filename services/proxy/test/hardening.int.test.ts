import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { useTestBench } from './gateway.fixture.ts'
import { authorizedHead, head, RawConnection } from './raw-http.fixture.ts'
import { okHead } from './raw-upstream.fixture.ts'

/** Rows of threats.md about the HTTP server, each through a raw socket. */
const bench = await useTestBench()
const gateway = await bench.startGateway()
const { account, upstream } = await bench.createAccountWithUpstream()

const path = '/api/proxy/v1/things'
const host = 'Host: gateway'
const auth = `Authorization: Bearer ${account.token.secret}`
const get = (...headers: string[]) => head(`GET ${path} HTTP/1.1`, host, auth, ...headers)
const post = (...headers: string[]) => head(`POST ${path} HTTP/1.1`, host, auth, ...headers)
const open = (bytes: string, port = gateway.port) => new RawConnection(port).send(bytes)
const badToken = 'Authorization: Bearer st_bad'

/** Expects one response, then the end of the connection, and that nothing reached the provider. */
async function expectRejected(bytes: string, status: number): Promise<string> {
  const before = upstream.heads.length
  const connection = await open(bytes).end()
  expect([bytes.slice(0, 60), ...connection.statuses]).toEqual([bytes.slice(0, 60), status])
  expect(connection.text.toLowerCase()).toContain('connection: close')
  expect(upstream.heads.length).toBe(before)
  return connection.text
}
const errorIn = (text: string) =>
  (JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { error: { code: string; message: string; type: string } })
    .error

describe('row 1: requests that two servers could read differently are 400 and end the connection', () => {
  test.each([
    ['two lengths', post('Content-Length: 3', 'Content-Length: 4') + 'abcd'],
    ['two equal lengths', post('Content-Length: 3', 'Content-Length: 3') + 'abc'],
    ['a length beside a transfer coding', post('Content-Length: 3', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['a transfer coding beside a length', post('Transfer-Encoding: chunked', 'Content-Length: 3') + '0\r\n\r\n'],
    ['a length of -1', post('Content-Length: -1') + 'abc'],
    ['a length of +3', post('Content-Length: +3') + 'abc'],
    ['a length of 0x3', post('Content-Length: 0x3') + 'abc'],
    ['a length list', post('Content-Length: 3, 3') + 'abc'],
    ['a folded header', get('X-Folded: a', ' b')],
    ['a space before the colon', get('Content-Length : 3') + 'abc'],
    ['lines that end in LF alone', get().replaceAll('\r\n', '\n')],
    ['CR alone in a header', get('X-A: b\rX-C: d')],
    ['NUL in a header', get('X-A: b\0c')],
    ['NUL in a header name', get('X-A\0: b')],
    ['a chunk extension of 20 KB', `${post('Transfer-Encoding: chunked')}1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`],
    ['an invalid chunk size', `${post('Transfer-Encoding: chunked')}xyz\r\na\r\n0\r\n\r\n`],
    ['a chunk that is longer than its size', `${post('Transfer-Encoding: chunked')}1\r\nabc\r\n0\r\n\r\n`],
  ])('%s', async (_what, bytes) => void (await expectRejected(bytes, 400)))
})

describe('rows 2 and 3: what the parser of Node would let through', () => {
  test.each([
    ['row 2: Transfer-Encoding: gzip, chunked', post('Transfer-Encoding: gzip, chunked') + '0\r\n\r\n'],
    ['row 2: Transfer-Encoding: identity', post('Transfer-Encoding: identity')],
    ['row 2: Transfer-Encoding twice', post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['row 3: two Host headers', get('Host: other')],
    ['row 3: no Host header', head(`GET ${path} HTTP/1.1`, auth)],
  ])('%s is 400', async (_what, bytes) => void (await expectRejected(bytes, 400)))
})

describe('row 5: sizes', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `a${at}:b`)
  test.each([
    ['3,000 headers', 431, () => get(...many)],
    ['201 headers', 431, () => get(...many.slice(0, 199))],
    ['a header of 70 KB', 431, () => get(`X-A: ${'b'.repeat(70_000)}`)],
    ['headers of 70 KB together', 431, () => get(...many.slice(0, 150).map((line) => line + 'c'.repeat(470)))],
    ['an address of 20 KB', 414, () => head(`GET ${path}?${'a'.repeat(20_000)} HTTP/1.1`, host, auth)],
    ['an address of 60 KB', 414, () => head(`GET ${path}?${'a'.repeat(60_000)} HTTP/1.1`, host, auth)],
  ])('%s: %i', async (_what, status, bytes) => {
    const error = errorIn(await expectRejected(bytes(), status))
    expect(error.message).not.toBe('')
    expect(error.code).toMatch(/^[a-z_]+$/)
  })

  test('200 headers and an address of 8 KB are fine', async () => {
    const connection = open(get(...many.slice(0, 198)))
    connection.send(head(`GET ${path}?${'a'.repeat(8_000)} HTTP/1.1`, host))
    expect((await connection.responses(2)).statuses).toEqual([200, 401])
    connection.close()
  })
})

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://gateway/api/proxy/v1/models',
  '//169.254.169.254/',
  '*',
  'gateway:443',
  '/\\169.254.169.254/',
])('row 6: only paths are accepted, no addresses: %s', async (target) => {
  const before = upstream.heads.length
  const connection = await open(head(`GET ${target} HTTP/1.1`, host, auth, 'Connection: close')).end()
  expect([400, 404]).toContain(connection.statuses[0])
  if (/^(?:http|\/\/)/.test(target)) expect(connection.text).toMatch(/one slash.+HTTP_PROXY/)
  expect(upstream.heads.length).toBe(before)
})

test('rows 8 and 9: hop by hop: Connection can not remove headers of the gateway; TE, Trailer, Proxy-* are not forwarded', async () => {
  const named = 'close, authorization, host, via, x-sallyport-hop, x-stainless-lang'
  const hop = [
    'TE: trailers',
    'Keep-Alive: 5',
    'Trailer: x',
    'Proxy-Connection: close',
    'Proxy-Authorization: Basic eA',
  ]
  const endToEnd = ['Content-Type: a/b', 'X-Stainless-Lang: js']
  await open(`${post(`Connection: ${named}`, 'Content-Length: 1', ...endToEnd, ...hop)}x`).end()
  const sent = upstream.heads.at(-1)!
  expect(sent).toContain('authorization: Bearer sk-primary')
  expect(sent).toMatch(/^host: 127/m)
  expect(sent).toContain('content-type: a/b')
  expect(sent).toMatch(/^via: 1\.1 sallyport/m)
  expect(sent).toMatch(/^x-sallyport-hop: /m)
  expect(sent).not.toMatch(/^(?:x-stainless-lang|te|keep-alive|trailer|proxy-\w+|upgrade|expect):/im)
})

test('row 10: CR and LF can not add a header or a request', async () => {
  for (const line of [
    `GET ${path}\r\nX-A: b HTTP/1.1`,
    `GET ${path}\nGET /x HTTP/1.1`,
    `GET ${path}\rx HTTP/1.1`,
    `GET ${path} x HTTP/1.1`,
  ]) {
    expect(await expectRejected(head(line, host, auth), 400), line).toContain('malformed_request')
  }
  const connection = await open(head(`GET ${path}%0d%0aX-A:%20b HTTP/1.1`, host, auth, 'Connection: close')).end()
  expect(connection.statuses).toHaveLength(1)
  expect(upstream.heads.at(-1)).not.toMatch(/^X-A/im)
})

test.each([
  ['h2c', 200],
  ['TLS/1.0', 200],
  ['websocket', 501],
])('row 11: an upgrade to %s is not tunnelled', async (protocol, status) => {
  const lines = [`Upgrade: ${protocol}`, 'Connection: close, Upgrade']
  expect((await open(get(...lines)).end()).statuses).toEqual([status])
  expect(upstream.heads.at(-1)).not.toMatch(/^upgrade:/im)
})

describe('row 12: methods, versions, expectations', () => {
  test('CONNECT ends the connection', async () => {
    const connection = await open(head('CONNECT 169.254.169.254:80 HTTP/1.1', host, auth)).end()
    expect(connection.statuses).not.toContain(200)
  })

  test.each([
    'GET /api/proxy/v1/things\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\0',
    'hello\r\n\r\n',
  ])('HTTP/0.9, HTTP/2, TLS and noise are 400: %j', async (bytes) => void (await expectRejected(bytes, 400)))

  test.each(['TRACE', 'PROPFIND', 'LOCK', 'MKCOL'])('%s is 405, in the format of the provider', async (method) => {
    const text = await expectRejected(head(`${method} ${path} HTTP/1.1`, host, auth, 'Connection: close'), 405)
    expect(errorIn(text)).toMatchObject({ type: 'invalid_request_error', code: 'method_not_allowed' })
  })

  test('an unknown Expect is 417', async () => {
    const connection = await open(post('Expect: 200-ok', 'Content-Length: 3', 'Connection: close')).end()
    expect(connection.statuses).toEqual([417])
  })
})

test('row 13: Expect: 100-continue with a bad token is 401 before any 100, and the connection ends', async () => {
  const lines = [`POST ${path} HTTP/1.1`, host, badToken, 'Content-Length: 100', 'Expect: 100-continue']
  const text = await expectRejected(head(...lines), 401)
  expect(errorIn(text).code).toBe('invalid_token')
})

describe('row 14: slow senders get 408 in time', () => {
  test.concurrent.each([
    ['headers', () => head(`GET ${path} HTTP/1.1`, host, auth).slice(0, -4), '\r\nX: y'],
    ['a body', () => post('Content-Length: 10000'), 'x'],
    ['a body in chunks', () => post('Transfer-Encoding: chunked'), '1\r\nx\r\n'],
  ])('%s, a few bytes at a time', async (_what, first, next) => {
    const strict = await bench.startGateway({ headersTimeoutMs: 600, requestTimeoutMs: 1_200 })
    const connection = open(first(), strict.port)
    while (!connection.isClosed) {
      connection.send(next)
      await setTimeout(100)
    }
    expect(connection.statuses).toEqual([408])
  })

  test.concurrent('an upload that goes on is not cut off', async () => {
    const patient = await bench.startGateway({ headersTimeoutMs: 200, requestTimeoutMs: 400 })
    const connection = open(post('Content-Length: 60000'), patient.port)
    for (let sent = 0; sent < 60_000; sent += 2_000) {
      connection.send('x'.repeat(2_000))
      await setTimeout(50)
    }
    await connection.responses(1)
    expect(connection.statuses).toEqual([200])
  })
})

test('garbage after a request does not end up in its response', async () => {
  const streaming = await bench.createAccountWithUpstream((socket) => {
    socket.write(`${okHead('content-type: text/event-stream', 'transfer-encoding: chunked')}6\r\na: b\n\n\r\n`)
  })
  const connection = open(authorizedHead(`GET ${path}`, streaming.account.token.secret))
  await connection.until(() => connection.text.includes('a: b'), 'the first event')
  await connection.send('\0\0\0 garbage\r\n\r\n').end()
  expect(connection.statuses).toEqual([200])
  expect(connection.text).not.toContain('0\r\n\r\n')
})
