import { describe, expect, test } from 'vitest'
import { useTestBench } from './gateway.fixture.ts'
import { authorizedHead, head, RawConnection } from './raw-http.fixture.ts'
import { jsonResponse, okHead } from './raw-upstream.fixture.ts'

/** Rules of RFC 9110 and RFC 9112 for intermediaries. */
const bench = await useTestBench()
const gateway = await bench.startGateway()
const { account, upstream } = await bench.createAccountWithUpstream((socket, _nth, request) => {
  const [, status = ''] = /\/status\/(\S+) /.exec(request) ?? []
  const encoding = 'content-encoding: gzip'
  if (request.startsWith('HEAD')) socket.write(okHead(encoding, 'content-length: 99'))
  else if (status === '204') socket.write(`HTTP/1.1 204 No Content\r\n${encoding}\r\n\r\n`)
  else if (status === '304') socket.write(`HTTP/1.1 304 Not Modified\r\n${encoding}\r\n\r\n`)
  else if (request.includes('/late')) setTimeout(() => socket.write(jsonResponse('{"late":true}')), 50)
  else if (request.includes('/dated')) {
    socket.write(
      jsonResponse(undefined, 'date: Thu, 01 Jan 2026 00:00:00 GMT', 'openai-a: 1', 'openai-b: 0', 'openai-a: 2'),
    )
  } else socket.write(jsonResponse())
})
const { secret } = account.token
const auth = `Authorization: Bearer ${secret}`
const path = '/api/proxy/v1/things'
const open = (bytes: string) => new RawConnection(gateway.port).send(bytes)
const get = (what: string, ...lines: string[]) => authorizedHead(`GET /api/proxy/v1/${what}`, secret, ...lines)
const postChunked = (version: string, body: string) =>
  head(`POST ${path} HTTP/${version}`, 'Host: a', auth, 'Connection: close', 'Transfer-Encoding: chunked') + body

const head10 = (...lines: string[]) => head(`GET ${path} HTTP/1.0`, auth, ...lines)
const options = (...lines: string[]) =>
  open(authorizedHead(`OPTIONS ${path}`, secret, 'Connection: close', ...lines)).end()

const dates = async (what: string) =>
  [...(await open(get(what, 'Connection: close')).end()).text.matchAll(/^date: (.+)\r$/gim)].map(([, date]) => date)

test('values of a repeated header keep their order, both ways', async () => {
  const { text } = await open(get('dated', 'X-A: 1', 'X-B: 0', 'X-A: 2', 'Connection: close')).end()
  expect(upstream.heads.at(-1)).toMatch(/^x-a: 1(?:, |\r\nx-a: )2$/m)
  expect(text).toMatch(/^openai-a: 1(?:, |\r\n(?:.*\r\n)?openai-a: )2\r$/im)
})

test('a response has one Date: the provider’s, or else that of the gateway', async () => {
  expect(await dates('dated')).toEqual(['Thu, 01 Jan 2026 00:00:00 GMT'])
  expect(await dates('things')).toEqual([expect.stringMatching(/ GMT$/)])
})

describe('chunks', () => {
  test('unknown extensions are ignored', async () => {
    expect((await open(postChunked('1.1', '2;a=b;c="d"\r\n{}\r\n0\r\n\r\n')).end()).statuses).toEqual([200])
  })

  test.each(['10000000000000000', 'fffffffffffffffff', '-1', '0x2', '+2'])('a size of %s is 400', async (size) => {
    expect((await open(postChunked('1.1', `${size}\r\n{}\r\n0\r\n\r\n`)).end()).statuses).toEqual([400])
  })

  test('with HTTP/1.0, which has none, they are faulty', async () => {
    const sent = upstream.heads.length
    const { text } = await open(postChunked('1.0', '2\r\n{}\r\n0\r\n\r\n')).end()
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(upstream.heads).toHaveLength(sent)
  })
})

describe('HTTP/1.0', () => {
  test('Upgrade is ignored', async () => {
    const offer = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAA']
    expect((await open(head10(...offer)).end()).text).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('Expect: 100-continue is ignored', async () => {
    const request = head(`POST ${path} HTTP/1.0`, auth, 'Expect: 100-continue', 'Content-Length: 2')
    const { statuses } = await open(`${request}{}`).end()
    expect(statuses).toEqual([200])
  })
})

describe('a connection', () => {
  test('an empty line before a request is ignored', async () => {
    expect((await open(`\r\n${get('things', 'Connection: close')}`).end()).statuses).toEqual([200])
  })

  test('responses to pipelined requests come in their order', async () => {
    const { text } = await open(get('late') + get('things', 'Connection: close')).end()
    expect(text.indexOf('{"late":true}')).toBeGreaterThan(0)
    expect(text.indexOf('{"ok":true}')).toBeGreaterThan(text.indexOf('{"late":true}'))
  })

  test('what follows Connection: close is no request', async () => {
    const sent = upstream.heads.length
    const { statuses } = await open(get('things', 'Connection: close') + get('things')).end()
    expect(statuses).toHaveLength(1)
    expect(upstream.heads.length).toBeLessThanOrEqual(sent + 1)
  })
})

test.each([204, 304])('%i has no body, and the next response is intact', async (status) => {
  const { statuses, text } = await open(get(`status/${status}`) + get('things', 'Connection: close')).end()
  expect(statuses).toEqual([status, 200])
  expect(text.split('\r\n\r\n')[1]).toMatch(/^HTTP\/1\.1 200 /)
})

test('the head of an encoded response is passed on as it is', async () => {
  const { statuses, text } = await open(authorizedHead(`HEAD ${path}`, secret, 'Connection: close')).end()
  expect(statuses).toEqual([200])
  expect(text).toMatch(/^content-encoding: gzip\r\ncontent-length: 99\r$/m)
})

describe('OPTIONS', () => {
  test('Max-Forwards counts down', async () => {
    expect((await options('Max-Forwards: 2')).statuses).toEqual([200])
    expect(upstream.heads.at(-1)).toMatch(/^max-forwards: 1$/m)
  })

  test('Max-Forwards: 0 is not forwarded', async () => {
    const sent = upstream.heads.length
    const { statuses, text } = await options('Max-Forwards: 0')
    expect([statuses, upstream.heads.length]).toEqual([[204], sent])
    expect(text).toMatch(/^allow: GET, HEAD, OPTIONS, /im)
  })

  test('the asterisk form is not forwarded', async () => {
    const sent = upstream.heads.length
    await open(authorizedHead('OPTIONS *', secret, 'Connection: close')).end()
    expect(upstream.heads).toHaveLength(sent)
  })
})

test('conditions and ranges are left to the provider', async () => {
  await open(get('things', 'Range: bytes=0-1', 'If-None-Match: "a"', 'If-Range: "b"', 'Connection: close')).end()
  expect(upstream.heads.at(-1)).toMatch(/^range: bytes=0-1$/m)
  expect(upstream.heads.at(-1)).toMatch(/^if-none-match: "a"$/m)
  expect(upstream.heads.at(-1)).toMatch(/^if-range: "b"$/m)
})
