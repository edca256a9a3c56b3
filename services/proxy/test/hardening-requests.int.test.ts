import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mib } from '#core/units.ts'
import { useTestBench } from './gateway.fixture.ts'
import { authorizedHead, codeIn, head, RawConnection } from './raw-http.fixture.ts'

/** Rows of threats.md about the content of a well-formed request. */
const bench = await useTestBench()
const gateway = await bench.startGateway()
const { account, upstream } = await bench.createAccountWithUpstream()
const config = { baseUrl: upstream.origin }
const restricted = await bench.createTestAccount({ token: { models: ['gpt-4o-mini'] }, config })
const sample = await bench.createTestAccount()

async function sendRaw(target: string, ...headers: string[]): Promise<{ status: number; text: string }> {
  const connection = new RawConnection(gateway.port)
  connection.send(authorizedHead(`GET ${target}`, account.token.secret, 'Connection: close', ...headers))
  await connection.end()
  expect(connection.statuses).toHaveLength(1)
  return { status: connection.statuses[0]!, text: connection.text }
}

describe('row 7: an ambiguous path is never forwarded', () => {
  test.each([
    '/api/proxy/v1/..%2fadmin',
    '/api/proxy/v1/../admin',
    '/api/proxy/v1/%5c..%5cadmin',
    '/api/proxy/v1/%2e%2e/admin',
    '/api/proxy/v1/%c0%ae%c0%ae/admin',
    '/api/proxy/v1//evil.example/',
    '/api/proxy/v1/x;/../y',
    '/api/proxy/v1/%zz',
    '/api/proxy/v1/%',
  ])('%s', async (target) => {
    const before = upstream.heads.length
    const { status, text } = await sendRaw(target)
    expect(status).toBe(400)
    expect(codeIn(text)).toMatch(/^(?:invalid_path|malformed_request)$/)
    expect(upstream.heads.length).toBe(before)
  })

  test('every other path is forwarded unchanged', async () => {
    const piece = fc.stringMatching(/^[\w.~!$&'()*+,:=@%/\\;-]{1,12}$/)
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), async (pieces) => {
        const path = `/v1/${pieces.join('/')}`
        const before = upstream.heads.length
        const { status } = await sendRaw(`/api/proxy${path}`)
        if (status === 200) {
          expect(upstream.heads.at(-1)).toMatch(`GET ${path} HTTP/1.1`)
          expect(new URL(path, upstream.origin).pathname).toBe(path)
        } else {
          expect(status).toBe(400)
          expect(upstream.heads.length).toBe(before)
        }
      }),
      { numRuns: 100 },
    )
  })
})

const get = (token: string) => {
  const lines = token ? [`Authorization: Bearer ${token}`] : []
  return head('GET /api/proxy/v1/things HTTP/1.1', 'Host: gateway', ...lines)
}

test('row 15: each request on a connection is authenticated by itself, pipelined or one after the other', async () => {
  const other = await bench.createTestAccount({ keys: ['sk-other'], config })
  const tokens = [account.token.secret, 'st_bad', other.token.secret, '', account.token.secret]
  const before = upstream.heads.length
  const connection = new RawConnection(gateway.port).send(tokens.map(get).join(''))
  await connection.responses(5)
  for (const [index, token] of tokens.entries()) await connection.send(get(token)).responses(6 + index)
  expect(connection.statuses).toEqual([200, 401, 200, 401, 200, 200, 401, 200, 401, 200])
  const keys = upstream.heads.slice(before).map((sent) => /Bearer (\S+)/.exec(sent)?.[1])
  expect(keys.filter((key) => key === 'sk-other')).toHaveLength(2)
  expect(keys).toHaveLength(6)
  connection.close()
})

test('row 16: names with a meaning in JavaScript have none here', async () => {
  const body =
    '{"__proto__":{"stream":true,"model":"gpt-4o"},"constructor":{"prototype":{"polluted":1}},"model":"__proto__"}'
  const response = await account.post(gateway, '/chat/completions?__proto__[polluted]=1&constructor=x', body)
  expect(response.status).toBe(200)
  const headers = ['__proto__: x', 'constructor: y', 'hasOwnProperty: z']
  expect((await sendRaw('/api/proxy/v1/constructor', ...headers)).status).toBe(200)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  const event = await bench.events.of(response)
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
  test.each(types)('"%s" does not bypass the restrictions of a token, and is allowed without any', async (type) => {
    const headers = { 'content-type': type }
    expect((await restricted.chat(gateway, { model: 'gpt-4o' }, { headers })).status).toBe(403)
    expect((await account.post(gateway, '/things', '{}', headers)).status).toBe(200)
  })
})

test('row 18: forged X-Forwarded-* headers count only from a trusted proxy', async () => {
  const address = '203.0.113.7'
  const { fetch } = await bench.createTestAccount({ token: { allowedAddresses: [address] } })
  const forged = { headers: { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address } }
  const rejected = await fetch(gateway, '/models', forged)
  expect(rejected.status).toBe(403)
  expect((await bench.events.of(rejected)).clientAddress).toBe('127.0.0.1')

  const behind = await bench.startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const allowed = await fetch(behind, '/models', forged)
  expect(allowed.status).toBe(200)
  expect((await bench.events.of(allowed)).clientAddress).toBe(address)
  const appended = { headers: { 'x-forwarded-for': `${address}, 198.51.100.9` } }
  expect((await fetch(behind, '/models', appended)).status).toBe(403)
})

test('row 27: nothing in a request decides where it is sent', async () => {
  const elsewhere = { api_base: 'http://169.254.169.254', base_url: 'http://169.254.169.254', baseUrl: 'http://x' }
  const before = upstream.heads.length
  const path = `/chat/completions?${new URLSearchParams(elsewhere)}`
  const type = { 'content-type': 'application/json' }
  const headers = { ...type, ...elsewhere, 'x-base-url': 'http://x', 'x-forwarded-host': 'x' }
  const response = await account.post(gateway, path, JSON.stringify({ ...elsewhere, model: 'gpt-4o' }), headers)
  expect(response.status).toBe(200)
  expect(upstream.heads.length).toBe(before + 1)
  expect(upstream.heads.at(-1)).toContain(`host: ${new URL(upstream.origin).host}`)
})

describe('row 29: other spellings of the path are protected alike', () => {
  test.each([
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
  ])('%s', async (target) => {
    const connection = await new RawConnection(gateway.port)
      .send(head(`GET ${target} HTTP/1.1`, 'Host: gateway', 'Connection: close'))
      .end()
    expect([400, 401, 404]).toContain(connection.statuses[0])
    const before = upstream.heads.length
    const { status, text } = await sendRaw(target)
    const sent = upstream.heads.slice(before)
    if (status === 200) expect(sent[0]).toMatch(/^GET \/v1\/models\/? HTTP/)
    else expect([sent.length, [400, 404].includes(status)]).toEqual([0, true])
    if (status !== 200 && target.startsWith('/api/proxy/v1/')) expect(codeIn(text)).toBe('invalid_path')
  })
})

describe('row 46: extreme bodies', () => {
  test.concurrent.each([
    ['50 MB of JSON', () => `{"model":"gpt-4o-mini","x":"${'x'.repeat(50 * mib)}"}`],
    ['JSON that is 10,000 deep', () => `{"model":"gpt-4o-mini","x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['JSON that is 500,000 deep and does not end', () => '{"a":'.repeat(100_000) + '['.repeat(400_000)],
    ['invalid UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
    ['NUL in text', () => '{"model":"gpt\\u0000","x":"\\u0000\\ud800"}'],
    ['bytes of NUL', () => Buffer.alloc(1_000)],
    ['an empty body', () => ''],
  ])('%s do not crash it', async (_what, body) => {
    const response = await sample.chat(gateway, {}, { body: body() })
    expect([200, 400, 413]).toContain(response.status)
    await response.text()
    expect((await sample.chat(gateway)).status).toBe(200)
    const event = await bench.events.of(response)
    expect(event.outcome).toBe('completed')
  })

  test('a body over the limit is 413 before it is read', async () => {
    const small = await bench.startGateway({ env: { MAX_BODY_BYTES: '2000' } })
    const connection = new RawConnection(small.port)
    connection.send(authorizedHead('POST /api/proxy/v1/files', account.token.secret, 'Content-Length: 2001'))
    await connection.responses(1)
    expect([connection.statuses, codeIn(connection.text)]).toEqual([[413], 'body_too_large'])
    connection.close()
    expect((await account.fetch(small, '/files', { method: 'POST', body: 'x'.repeat(2_000) })).status).toBe(200)
  })
})
