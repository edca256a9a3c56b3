import { once } from 'node:events'
import { connect } from 'node:net'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { useTestBench } from './gateway.fixture.ts'
import { authorizedHead, codeIn, head, RawConnection } from './raw-http.fixture.ts'
import { jsonResponse, okHead } from './raw-upstream.fixture.ts'

/** Rarely used features of HTTP. */
const bench = await useTestBench()
const gateway = await bench.startGateway()
const { account, upstream } = await bench.createAccountWithUpstream()
const auth = `Authorization: Bearer ${account.token.secret}`
const path = '/api/proxy/v1/things'
const open = (bytes: string) => new RawConnection(gateway.port).send(bytes)

/** Sends one request and waits for the end of the connection. */
const send = (request: string, ...lines: string[]) => open(head(request, auth, 'Connection: close', ...lines)).end()

describe('an offer of HTTP/2 is ignored', () => {
  const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']

  test.each([
    ['GET', [], ''],
    ['POST', ['Content-Length: 11', 'Content-Type: application/json'], '{"model":1}'],
    ['POST', ['Transfer-Encoding: chunked'], 'b\r\n{"model":1}\r\n0\r\n\r\n'],
  ] as const)('%s %j, and the connection ends', async (method, lines, body) => {
    const request = authorizedHead(`${method} ${path}`, account.token.secret, ...offer, ...lines)
    const connection = await open(request + body).end()
    expect(connection.statuses).toEqual([200])
    expect(connection.text).toContain('{"ok":true}')
    expect(upstream.heads.at(-1)).not.toMatch(/^(?:upgrade|http2-settings):/im)
  })

  test('curl --http2', async ({ skip }) => {
    const url = `${gateway.origin}${path}`
    const run = execa({ reject: false })
    const { stdout, exitCode, failed } = await run`curl --silent --http2 --header ${auth} --data {"model":1} ${url}`
    if (failed && exitCode === undefined) skip('curl is not installed')
    expect(stdout).toBe('{"ok":true}')
  })
})

test('64 KiB of headers travel both ways', async () => {
  const long = 'x'.repeat(60_000)
  const { account: guest, upstream: verbose } = await bench.createAccountWithUpstream((socket) =>
    socket.write(jsonResponse(undefined, `openai-notes: ${long}`)),
  )
  const connection = await open(
    authorizedHead(`GET ${path}`, guest.token.secret, `X-Stainless-Notes: ${long}`),
  ).responses(1)
  await connection.until(() => connection.text.includes('{"ok":true}'), 'the body')
  expect(verbose.heads[0]).toContain(`x-stainless-notes: ${long}`)
  expect(connection.text).toContain(`openai-notes: ${long}`)
  connection.close()
})

describe('Host', () => {
  test.each(['gateway', 'gateway:8080', 'a_b.c-d.example.', '127.0.0.1:1', '[::1]:3000', '[2001:db8::1]', 'gateway:'])(
    '%s is accepted',
    async (host) => expect((await send(`GET ${path} HTTP/1.1`, `Host: ${host}`)).statuses).toEqual([200]),
  )

  test.each(['a,b', 'a, b', 'u@a', 'u:p@a', 'a/b', 'a b', 'a?b', 'a#b', 'a\\b', 'a:b', 'a:1:2', '[::1', '[gg::1]', ''])(
    '%j is 400',
    async (host) => {
      const { statuses, text } = await send(`GET ${path} HTTP/1.1`, `Host: ${host}`)
      expect([statuses, codeIn(text)]).toEqual([[400], 'malformed_request'])
    },
  )

  test('HTTP/1.0 needs none, and ends the connection', async () => {
    const connection = await open(head(`GET ${path} HTTP/1.0`, auth)).end()
    expect(connection.text).toContain(' 200 OK')
    expect(connection.text).toContain('{"ok":true}')
    expect(upstream.heads.at(-1)).toMatch(/^via: 1\.0 sallyport$/m)
  })
})

describe('headers that HTTP requires of a response', () => {
  test.each([
    ['a method that is not taken: Allow', head(`PROPFIND ${path} HTTP/1.1`, 'Host: a', 'Connection: close'), 405],
    ['the newest method, neither: Allow', head(`QUERY ${path} HTTP/1.1`, 'Host: a', 'Connection: close'), 405],
    ['no token: WWW-Authenticate', head(`GET ${path} HTTP/1.1`, 'Host: a', 'Connection: close'), 401],
  ])('%s', async (_what, bytes, status) => {
    const { statuses, text } = await open(bytes).end()
    expect(statuses).toEqual([status])
    if (status === 405) expect(text).toMatch(/^allow: GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE\r$/im)
    else expect(text).toMatch(/^www-authenticate: Bearer realm="Sallyport"\r$/im)
  })
})

test.each([
  ['together with the response', 0],
  ['before it', 20],
])('an unasked 100 %s is ignored', async (_when, delayMs) => {
  const body = '{"text":"HTTP/1.1 100 Continue"}'
  const hasty = await bench.createAccountWithUpstream((socket) => {
    socket.setNoDelay()
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
    if (delayMs === 0) return socket.write(interim + jsonResponse(body))
    socket.write(interim)
    return setTimeout(() => socket.write(jsonResponse(body)), delayMs)
  })
  for (let time = 0; time < 2; time += 1) {
    const response = await hasty.account.post(gateway, '/things', '{}')
    expect([response.status, await response.text()]).toEqual([200, body])
  }
  expect(hasty.upstream.heads).toHaveLength(2)
})

test('trailers of a request are dropped', async () => {
  const lines = ['Transfer-Encoding: chunked', 'Trailer: X-Sum']
  const connection = open(
    `${authorizedHead(`POST ${path}`, account.token.secret, ...lines)}2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n`,
  )
  expect((await connection.responses(1)).statuses).toEqual([200])
  expect(upstream.heads.at(-1)).not.toMatch(/^x-sum:/im)
  connection.close()
})

const slow = await bench.createAccountWithUpstream((socket, _nth, request) => {
  if (request.includes('/late')) setTimeout(() => socket.write(jsonResponse()), 50)
  if (request.includes('/stream')) socket.write(okHead('content-type: text/event-stream', 'content-length: 99') + 'a')
})

describe('a client that closes its half of the connection', () => {
  const { secret } = slow.account.token

  test('gets its response', async () => {
    const connection = open(authorizedHead('GET /api/proxy/v1/late', secret))
    connection.socket.end()
    await connection.end()
    expect(connection.statuses).toEqual([102, 200])
    expect(connection.text).toContain('{"ok":true}')
  })

  test.each(['/never', '/stream'])('and is gone is noticed: %s', async (endpoint) => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1' })
    socket.write(authorizedHead(`GET /api/proxy/v1${endpoint}`, secret))
    await expect.poll(() => slow.upstream.heads.at(-1)).toContain(endpoint)
    if (endpoint === '/stream') await once(socket, 'data')
    socket.destroy()
    await expect.poll(() => slow.upstream.sockets.size).toBe(0)
  })
})
