import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { head, RawConnection } from './raw-http.fixture.ts'
import { jsonAnswer, type RawUpstream, startRawUpstream } from './raw-upstream.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

/** Rows of threats.md that the HTTP server has to stand, each through a raw socket. */
let bench: TestBench
let gateway: Gateway
let echo: RawUpstream
let account: TestAccount
beforeAll(async () => {
  bench = await openTestBench()
  gateway = await bench.startGateway()
  echo = await startRawUpstream((socket) => socket.write(jsonAnswer()))
  account = await bench.createTestAccount({ config: { baseUrl: echo.origin } })
})
afterAll(async () => {
  await echo.stop()
  await bench.stop()
})

const path = '/api/proxy/v1/things'
const host = 'Host: gateway'
/** `open` puts the token in. */
const auth = 'Authorization: Bearer {token}'
const get = (...headers: string[]) => head(`GET ${path} HTTP/1.1`, host, auth, ...headers)
const post = (...headers: string[]) => head(`POST ${path} HTTP/1.1`, host, auth, ...headers)
const open = (bytes: string, port = gateway.port) =>
  new RawConnection(port).send(bytes.replace('{token}', account.token.secret))

/** The connection has to end with one answer, and nothing may have reached the provider. */
async function expectRefusal(bytes: string, status: number): Promise<string> {
  const before = echo.heads.length
  const connection = await open(bytes).end()
  expect([bytes.slice(0, 60), ...connection.statuses]).toEqual([bytes.slice(0, 60), status])
  expect(connection.text.toLowerCase()).toContain('connection: close')
  expect(echo.heads.length).toBe(before)
  return connection.text
}
const errorIn = (text: string) =>
  (JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { error: { code: string; message: string; type: string } })
    .error

describe('row 1: requests that two servers could read differently are 400 and end the connection', () => {
  test.each([
    ['length and chunked', post('Content-Length: 3', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['two lengths', post('Content-Length: 3', 'Content-Length: 4') + 'abcd'],
    ['two equal lengths', post('Content-Length: 3', 'Content-Length: 3') + 'abc'],
    ['a length of +3', post('Content-Length: +3') + 'abc'],
    ['a length of 0x3', post('Content-Length: 0x3') + 'abc'],
    ['a length of -1', post('Content-Length: -1') + 'abc'],
    ['a length list', post('Content-Length: 3, 3') + 'abc'],
    ['a folded header', get('X-Folded: a', ' b')],
    ['a space before the colon', get('Content-Length : 3') + 'abc'],
    ['lines that end in LF alone', get().replaceAll('\r\n', '\n')],
    ['CR alone in a header', get('X-A: b\rX-C: d')],
    ['NUL in a header', get('X-A: b\0c')],
    ['NUL in a header name', get('X-A\0: b')],
    ['a chunk extension of 20 KB', `${post('Transfer-Encoding: chunked')}1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`],
    ['a chunk size that is none', `${post('Transfer-Encoding: chunked')}xyz\r\na\r\n0\r\n\r\n`],
    ['a chunk that is longer than it says', `${post('Transfer-Encoding: chunked')}1\r\nabc\r\n0\r\n\r\n`],
  ])('%s', async (_what, bytes) => void (await expectRefusal(bytes, 400)))
})

describe('rows 2 and 3: what the parser of Node would let through', () => {
  test.each([
    ['row 2: Transfer-Encoding: gzip, chunked', post('Transfer-Encoding: gzip, chunked') + '0\r\n\r\n'],
    ['row 2: Transfer-Encoding: identity', post('Transfer-Encoding: identity')],
    ['row 2: Transfer-Encoding twice', post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['row 3: two Host headers', get('Host: other')],
    ['row 3: no Host header', head(`GET ${path} HTTP/1.1`, auth)],
  ])('%s is 400', async (_what, bytes) => void (await expectRefusal(bytes, 400)))
})

describe('row 5: sizes', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `a${at}:b`)
  test.each([
    ['3,000 headers', 431, () => get(...many)],
    ['201 headers', 431, () => get(...many.slice(0, 199))],
    ['a header of 20 KB', 431, () => get(`X-A: ${'b'.repeat(20_000)}`)],
    ['headers of 20 KB together', 431, () => get(...many.slice(0, 150).map((line) => line + 'c'.repeat(130)))],
    ['an address of 20 KB', 414, () => head(`GET ${path}?${'a'.repeat(20_000)} HTTP/1.1`, host, auth)],
  ])('%s: %i', async (_what, status, bytes) => {
    const error = errorIn(await expectRefusal(bytes(), status))
    expect(error.message).not.toBe('')
    expect(error.code).toMatch(/^[a-z_]+$/)
  })

  test('200 headers and an address of 8 KB are fine', async () => {
    const connection = open(get(...many.slice(0, 198)))
    connection.send(head(`GET ${path}?${'a'.repeat(8_000)} HTTP/1.1`, host))
    expect((await connection.answers(2)).statuses).toEqual([200, 401])
    connection.close()
  })
})

describe('row 6: only paths, no addresses', () => {
  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://gateway/api/proxy/v1/models',
    '//169.254.169.254/',
    '*',
    'gateway:443',
    '/\\169.254.169.254/',
  ])('%s is refused', async (target) => {
    const before = echo.heads.length
    const connection = open(head(`GET ${target} HTTP/1.1`, host, auth, 'Connection: close'))
    expect([400, 404]).toContain((await connection.end()).statuses[0])
    expect(echo.heads.length).toBe(before)
  })
})

describe('rows 8 and 9: hop by hop', () => {
  test('row 8: Connection can not name headers away', async () => {
    const named = 'close, authorization, host, content-type, x-stainless-lang'
    await open(
      post(`Connection: ${named}`, 'Content-Type: a/b', 'Content-Length: 1', 'X-Stainless-Lang: js') + 'x',
    ).end()
    const sent = echo.heads.at(-1)!
    expect(sent).toContain('authorization: Bearer sk-primary')
    expect(sent).toMatch(/^host: 127/m)
    expect(sent).toContain('content-type: a/b')
    expect(sent).toContain('x-stainless-lang: js')
  })

  test('row 9: TE, Keep-Alive, Trailer and Proxy-* never travel', async () => {
    const hop = [
      'TE: trailers',
      'Keep-Alive: 5',
      'Trailer: x',
      'Proxy-Connection: close',
      'Proxy-Authorization: Basic eA',
    ]
    await open(get('Connection: close', ...hop)).end()
    expect(echo.heads.at(-1)).not.toMatch(/^(?:te|keep-alive|trailer|proxy-\w+|upgrade|expect):/im)
  })
})

test('row 10: CR and LF do not make a header or a request of their own', async () => {
  for (const line of [
    `GET ${path}\r\nX-A: b HTTP/1.1`,
    `GET ${path}\nGET /x HTTP/1.1`,
    `GET ${path}\rx HTTP/1.1`,
    `GET ${path} x HTTP/1.1`,
  ]) {
    expect(await expectRefusal(head(line, host, auth), 400), line).toContain('malformed_request')
  }
  const connection = await open(head(`GET ${path}%0d%0aX-A:%20b HTTP/1.1`, host, auth, 'Connection: close')).end()
  expect(connection.statuses).toHaveLength(1)
  expect(echo.heads.at(-1)).not.toMatch(/^X-A/im)
})

test.each(['h2c', 'websocket', 'TLS/1.0'])('row 11: an upgrade to %s is not tunnelled', async (protocol) => {
  const connection = open(
    get(`Upgrade: ${protocol}`, 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABk'),
  )
  await connection.answers(1)
  expect(connection.statuses).not.toContain(101)
  connection.close()
})

describe('row 12: methods, versions, expectations', () => {
  test('TRACE is 405', async () => {
    await expectRefusal(head(`TRACE ${path} HTTP/1.1`, host, auth), 405)
  })

  test('CONNECT ends the connection', async () => {
    const connection = await open(head('CONNECT 169.254.169.254:80 HTTP/1.1', host, auth)).end()
    expect(connection.statuses).not.toContain(200)
  })

  test.each([
    'GET /api/proxy/v1/things\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\0',
    'hello\r\n\r\n',
  ])('HTTP/0.9, HTTP/2, TLS and noise are 400: %j', async (bytes) => void (await expectRefusal(bytes, 400)))

  test.each(['PROPFIND', 'LOCK', 'MKCOL'])('%s is 405, as the provider would say it', async (method) => {
    const before = echo.heads.length
    const connection = await open(head(`${method} ${path} HTTP/1.1`, host, auth, 'Connection: close')).end()
    expect(connection.statuses).toEqual([405])
    expect(errorIn(connection.text)).toMatchObject({ type: 'invalid_request_error', code: 'method_not_allowed' })
    expect(echo.heads.length).toBe(before)
  })

  test('an unknown Expect is 417', async () => {
    const connection = await open(post('Expect: 200-ok', 'Content-Length: 3', 'Connection: close')).end()
    expect(connection.statuses).toEqual([417])
  })
})

test('row 13: Expect: 100-continue with a bad token is 401 before any 100, and the connection ends', async () => {
  const lines = [`POST ${path} HTTP/1.1`, host, 'Authorization: Bearer st_bad', 'Content-Length: 100']
  const text = await expectRefusal(head(...lines, 'Expect: 100-continue'), 401)
  expect(errorIn(text).code).toBe('invalid_token')
})

describe('row 14: slow senders are 408 in time', () => {
  test.concurrent.each([
    ['headers', () => head(`GET ${path} HTTP/1.1`, host, auth).slice(0, -4), '\r\nX: y'],
    ['a body', () => post('Content-Length: 10000'), 'x'],
    ['a body in chunks', () => post('Transfer-Encoding: chunked'), '1\r\nx\r\n'],
  ])('%s, a little at a time', async (_what, first, next) => {
    const strict = await bench.startGateway({ headersTimeoutMs: 600, requestTimeoutMs: 1_200 })
    const connection = open(first(), strict.port)
    while (!connection.isClosed) {
      connection.send(next)
      await setTimeout(100)
    }
    expect(connection.statuses).toEqual([408])
  })

  test.concurrent('a refused body that goes on and on is cut off', async () => {
    const connection = open(
      head(`POST ${path} HTTP/1.1`, host, 'Authorization: Bearer st_bad', 'Content-Length: 1000000000'),
    )
    await connection.answers(1)
    const drip = setInterval(() => connection.send('x'.repeat(1_000)), 50)
    await connection.end()
    clearInterval(drip)
    expect(connection.statuses).toEqual([401])
  })
})

test('garbage behind a request does not end up in its answer', async () => {
  const upstream = await startRawUpstream((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
    socket.write('6\r\na: b\n\n\r\n')
  })
  const streaming = await bench.createTestAccount({ config: { baseUrl: upstream.origin } })
  const lines = [`GET ${path} HTTP/1.1`, host, `Authorization: Bearer ${streaming.token.secret}`]
  const connection = open(head(...lines))
  await connection.until(() => connection.text.includes('a: b'), 'the first event')
  connection.send('\0\0\0 garbage\r\n\r\n')
  await connection.end()
  expect(connection.statuses).toEqual([200])
  expect(connection.text).not.toContain('0\r\n\r\n')
  await upstream.stop()
})
