import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { head, RawConnection } from './raw-http.fixture.ts'
import { jsonAnswer, type RawUpstream, startRawUpstream } from './raw-upstream.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

/** Rows of threats.md that concern what is in a well-formed request. */
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

async function sendRaw(target: string, ...headers: string[]): Promise<{ status: number; text: string }> {
  const authorization = `Authorization: Bearer ${account.token.secret}`
  const connection = new RawConnection(gateway.port)
  connection.send(head(`GET ${target} HTTP/1.1`, 'Host: gateway', authorization, 'Connection: close', ...headers))
  await connection.end()
  expect(connection.statuses).toHaveLength(1)
  return { status: connection.statuses[0]!, text: connection.text }
}
const codeIn = (text: string) => /"code":"(\w+)"/.exec(text)?.[1]

describe('row 7: a path that could be read in two ways never leaves the gateway', () => {
  test.each([
    '/api/proxy/v1/..%2fadmin',
    '/api/proxy/v1/../admin',
    '/api/proxy/v1/x/../../admin',
    '/api/proxy/v1/./x',
    '/api/proxy/v1/..',
    String.raw`/api/proxy/v1/\..\admin`,
    '/api/proxy/v1/%5c..%5cadmin',
    '/api/proxy/v1/x%00',
    '/api/proxy/v1/%2e%2e/admin',
    '/api/proxy/v1/%252e%252e/admin',
    '/api/proxy/v1/%c0%ae%c0%ae/admin',
    '/api/proxy/v1//evil.example/',
    '/api/proxy/v1/x#y',
    '/api/proxy/v1/x;/../y',
    '/api/proxy/v1/%zz',
    '/api/proxy/v1/%',
  ])('%s', async (target) => {
    const before = echo.heads.length
    const { status, text } = await sendRaw(target)
    expect(status).toBe(400)
    expect(codeIn(text)).toMatch(/^(?:invalid_path|malformed_request)$/)
    expect(echo.heads.length).toBe(before)
  })

  test('whatever else gets through arrives as it was sent', async () => {
    const piece = fc.stringMatching(/^[\w.~!$&'()*+,:=@%/\\;-]{1,12}$/)
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), async (pieces) => {
        const path = `/v1/${pieces.join('/')}`
        const before = echo.heads.length
        const { status } = await sendRaw(`/api/proxy${path}`)
        if (status === 200) {
          expect(echo.heads.at(-1)).toMatch(`GET ${path} HTTP/1.1`)
          expect(new URL(path, echo.origin).pathname).toBe(path)
        } else {
          expect(status).toBe(400)
          expect(echo.heads.length).toBe(before)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('what is harmless is not refused', async () => {
    for (const path of ['/v1/files/file-1.jsonl', '/v1/models/org%3Amodel', '/v1/x/..y', `/v1/${'a'.repeat(2_000)}`]) {
      expect([path, (await sendRaw(`/api/proxy${path}`)).status]).toEqual([path, 200])
    }
  })
})

const get = (name: string, token: string) =>
  head(`GET /api/proxy/v1/${name} HTTP/1.1`, 'Host: gateway', ...(token ? [`Authorization: Bearer ${token}`] : []))

test('row 15: each request on a connection is authenticated alone, pipelined or one after the other', async () => {
  const other = await bench.createTestAccount({ keys: ['sk-other'], config: { baseUrl: echo.origin } })
  const tokens = [account.token.secret, 'st_bad', other.token.secret, '', account.token.secret]
  const before = echo.heads.length
  const connection = new RawConnection(gateway.port)
  connection.send(tokens.map((token, at) => get(`pipelined${at}`, token)).join(''))
  await connection.answers(5)
  expect(connection.statuses).toEqual([200, 401, 200, 401, 200])
  for (const token of tokens) {
    const count = connection.statuses.length
    connection.send(get('later', token))
    await connection.answers(count + 1)
  }
  expect(connection.statuses.slice(5)).toEqual([200, 401, 200, 401, 200])
  const keys = echo.heads.slice(before).map((sent) => /Bearer (\S+)/.exec(sent)?.[1])
  expect(keys.filter((key) => key === 'sk-other')).toHaveLength(2)
  expect(keys).toHaveLength(6)
  connection.close()
})

test('row 16: names with a meaning to JavaScript are names', async () => {
  const body =
    '{"__proto__":{"stream":true,"model":"gpt-4o"},"constructor":{"prototype":{"polluted":1}},"model":"__proto__"}'
  const answer = await account.fetch(gateway, '/chat/completions?__proto__[polluted]=1&constructor=x', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(200)
  expect(
    (await sendRaw('/api/proxy/v1/constructor', '__proto__: x', 'constructor: y', 'hasOwnProperty: z')).status,
  ).toBe(200)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  const event = await bench.events.of(answer.headers.get('x-request-id'))
  expect(event).toMatchObject({ model: '__proto__', streamed: false })
})

describe('row 17: the type of a body', () => {
  const types = [
    'application/json',
    'APPLICATION/JSON',
    'application/json\t; charset=utf-8',
    'application/json;charset=utf-8;',
    'application/json ; x="a;b"',
    ' application/json',
    'text/json',
    'application/vnd.api+json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jso\tn',
    'json',
    ';',
    'multipart/form-data; boundary=x',
    '',
  ]
  test('does not get a request past the bounds of its token', async () => {
    const bound = await bench.createTestAccount({
      token: { models: ['gpt-4o-mini'] },
      config: { baseUrl: echo.origin },
    })
    for (const type of types) {
      const answer = await bound.chat(gateway, { model: 'gpt-4o' }, { headers: { 'content-type': type } })
      expect([type, answer.status]).toEqual([type, 403])
    }
  })

  test('is the business of the provider otherwise', async () => {
    for (const type of types) {
      const answer = await account.fetch(gateway, '/things', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': type },
      })
      expect([type, answer.status]).toEqual([type, 200])
    }
  })
})

test('row 18: forged X-Forwarded-* count only where the peer is a proxy of ours', async () => {
  const bound = await bench.createTestAccount({ token: { allowedAddresses: ['203.0.113.7'] } })
  const forged = {
    headers: { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' },
  }
  const refused = await bound.fetch(gateway, '/models', forged)
  expect(refused.status).toBe(403)
  expect((await bench.events.of(refused.headers.get('x-request-id'))).clientAddress).toBe('127.0.0.1')

  const behind = await bench.startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const allowed = await bound.fetch(behind, '/models', forged)
  expect(allowed.status).toBe(200)
  expect((await bench.events.of(allowed.headers.get('x-request-id'))).clientAddress).toBe('203.0.113.7')
  const behindForged = { headers: { 'x-forwarded-for': '203.0.113.7, 198.51.100.9' } }
  expect((await bound.fetch(behind, '/models', behindForged)).status).toBe(403)
})

test('row 27: nothing in a request decides where it goes', async () => {
  const elsewhere = { api_base: 'http://169.254.169.254', base_url: 'http://169.254.169.254', baseUrl: 'http://x' }
  const before = echo.heads.length
  const answer = await account.fetch(gateway, `/chat/completions?${new URLSearchParams(elsewhere)}`, {
    method: 'POST',
    body: JSON.stringify({ ...elsewhere, model: 'gpt-4o' }),
    headers: { ...elsewhere, 'x-base-url': 'http://x', 'x-forwarded-host': 'x', 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(200)
  expect(echo.heads.length).toBe(before + 1)
  expect(echo.heads.at(-1)).toContain(`host: ${new URL(echo.origin).host}`)
})

describe('row 29: other spellings of the address have the same guards', () => {
  const spellings = [
    '/api/proxy/v1/models',
    '/api/proxy/v1/models/',
    '/api/proxy/%761/models',
    '/%61pi/proxy/v1/models',
    '/api/%70roxy/v1/models',
    '/API/PROXY/v1/models',
    '/api/proxy/V1/models',
    '/api/proxy/v1;x/models',
    '/api//proxy/v1/models',
    '/api/proxy',
    '/api/proxy/',
    '/api/proxy/v1',
    '/api/proxy/v2/models',
  ]
  test.each(spellings)('%s', async (target) => {
    const connection = await new RawConnection(gateway.port)
      .send(head(`GET ${target} HTTP/1.1`, 'Host: gateway', 'Connection: close'))
      .end()
    expect([400, 401, 404]).toContain(connection.statuses[0])
    const before = echo.heads.length
    const { status, text } = await sendRaw(target)
    const sent = echo.heads.slice(before)
    if (status === 200) expect(sent[0]).toMatch(/^GET \/v1\/models\/? HTTP/)
    else expect([sent.length, [400, 404].includes(status)]).toEqual([0, true])
    if (status !== 200 && target.startsWith('/api/proxy/v1/')) expect(codeIn(text)).toBe('invalid_path')
  })
})

describe('row 46: bodies that are too much', () => {
  test.concurrent.each([
    ['50 MB of JSON', () => `{"model":"gpt-4o-mini","x":"${'x'.repeat(50 * mib)}"}`],
    ['JSON that is 10,000 deep', () => `{"model":"gpt-4o-mini","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['JSON that is 500,000 deep and does not end', () => '{"a":'.repeat(100_000) + '['.repeat(400_000)],
    ['invalid UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
    ['NUL in text', () => '{"model":"gpt\\u0000","x":"\\u0000\\ud800"}'],
    ['bytes of NUL', () => Buffer.alloc(1_000)],
    ['nothing at all', () => ''],
  ])('%s is no crash', async (_what, body) => {
    const sample = await bench.createTestAccount()
    const answer = await sample.chat(gateway, {}, { body: body() })
    expect([200, 400, 413]).toContain(answer.status)
    await answer.text()
    expect((await sample.chat(gateway)).status).toBe(200)
    const event = await bench.events.of(answer.headers.get('x-request-id'))
    expect(event.outcome).toBe('completed')
  })

  test('more than the gateway takes is 413 before it is read', async () => {
    const small = await bench.startGateway({ env: { MAX_BODY_BYTES: '2000' } })
    const connection = new RawConnection(small.port)
    const lines = [
      'POST /api/proxy/v1/files HTTP/1.1',
      'Host: gateway',
      `Authorization: Bearer ${account.token.secret}`,
    ]
    connection.send(head(...lines, 'Content-Length: 2001'))
    await connection.answers(1)
    expect([connection.statuses, codeIn(connection.text)]).toEqual([[413], 'body_too_large'])
    connection.close()
    expect((await account.fetch(small, '/files', { method: 'POST', body: 'x'.repeat(2_000) })).status).toBe(200)
  })
})
