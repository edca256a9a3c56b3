import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, openTestBench, type TestBench } from './gateway.fixture.ts'
import { jsonAnswer, type RawUpstream, startRawUpstream } from './raw-upstream.fixture.ts'
import type { TestAccount } from './test-account.fixture.ts'

const key = 'sk-a-key-that-the-provider-echoes'
let encoding: string
let body: Buffer
let bench: TestBench
let gateway: Gateway
let echo: RawUpstream
let account: TestAccount
beforeAll(async () => {
  bench = await openTestBench()
  gateway = await bench.startGateway()
  echo = await startRawUpstream((socket, _nth, head) => {
    if (head.includes('/v1/models')) return void socket.write(jsonAnswer())
    const headers = ['content-type: text/plain', `content-encoding: ${encoding}`, `content-length: ${body.length}`]
    socket.write(`HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\n`)
    // In pieces: the key is cut.
    for (let at = 0; at < body.length; at += 7) socket.write(body.subarray(at, at + 7))
  })
  account = await bench.createTestAccount({ config: { baseUrl: echo.origin }, keys: [key] })
})
afterAll(async () => {
  await bench.stop()
  await echo.stop()
})

test('row 58: with the client address switched off nothing of a request tells it, nor its credentials', async () => {
  const address = '203.0.113.77'
  const guest = await bench.createTestAccount({ config: { baseUrl: echo.origin, logClientAddress: false } })
  const { headers } = await guest.fetch(gateway, '/models', {
    headers: {
      'x-forwarded-for': address,
      forwarded: `for=${address}`,
      'cf-connecting-ip': address,
      'x-whatever': address,
      'x-auth': 'Basic eDp5',
      referer: 'https://app.example/page?code=1234',
    },
  })
  const event = await bench.events.of(headers.get('x-request-id')!)
  expect(event.clientAddress).toBeNull()
  expect(JSON.stringify(event)).not.toContain(address)
  expect(event.requestHeaders).toMatchObject({ 'x-auth': '[redacted]', referer: 'https://app.example/page' })
})

describe('row 65: a key that the provider echoes in a compressed response can not be read', () => {
  const text = `You sent ${key}, did you not? ${'And so on. '.repeat(1_000)}`
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
    ['gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))],
  ])('%s', async (name, compress) => {
    encoding = name
    body = compress(Buffer.from(text))
    const response = await account.fetch(gateway, '/anything', { headers: { 'accept-encoding': name } })
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(await response.text()).toBe(text.replace(key, '*'.repeat(key.length)))
    expect(echo.heads.at(-1)).toContain('accept-encoding: identity')
  })

  test('one that nobody here can read is 502, and not asked for again', async () => {
    const retrying = await bench.createTestAccount({ config: { baseUrl: echo.origin, retryAttempts: 3 }, keys: [key] })
    for (encoding of ['compress', 'gzip, x-own']) {
      const before = echo.heads.length
      const response = await retrying.fetch(gateway, '/anything')
      expect(response.status).toBe(502)
      expect(await response.json()).toMatchObject({ error: { code: 'upstream_encoding' } })
      expect(echo.heads).toHaveLength(before + 1)
    }
  })

  test('one that is not what it says ends as a broken one', async () => {
    encoding = 'gzip'
    body = Buffer.from(text)
    await expect(account.fetch(gateway, '/anything').then((response) => response.text())).rejects.toThrow()
  })
})
